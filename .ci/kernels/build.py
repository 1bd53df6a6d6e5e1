"""Compiles all kernels of sokoasp ahead of time into one shared library: ``python -m kernels.build OUT [--target TARGET]``.

Run it in a checkout, where numba is installed; ``.ci/wheel`` and ``sokoasp warm`` do. The kernels stay what they are for JIT:
numba types and lowers them, and what it makes of each is linked into one module with two entries a kernel (see ``_entry``).
All that leans on numba's inner interfaces stands here, and numba is pinned where wheels are built: users never meet it.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from kernels import compiler
from llvmlite import ir
from numba.core import types
from numba.np import arrayobj

from sokoasp.core.kernels import numba_cache, shared_library

ZIG = {
    "x86_64-linux": "x86_64-linux-gnu.2.17",
    "aarch64-linux": "aarch64-linux-gnu.2.17",
    "x86_64-macos": "x86_64-macos",
    "aarch64-macos": "aarch64-macos",
    "x86_64-windows": "x86_64-windows-gnu",
}
"""Targets, as zig calls them when it links."""
TRIPLES = {
    "x86_64-linux": "x86_64-unknown-linux-gnu",
    "aarch64-linux": "aarch64-unknown-linux-gnu",
    "x86_64-macos": "x86_64-apple-macosx11.0.0",
    "aarch64-macos": "arm64-apple-macosx11.0.0",
    "x86_64-windows": "x86_64-w64-windows-gnu",
}
"""The same, as LLVM calls them."""
OPTIONS = {"no_cpython_wrapper": True}
"""For numba: nothing of a kernel is called from Python but by our entries."""
I64 = ir.IntType(64)


def here() -> str:
    """Return the target of this machine."""
    import platform

    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return f"{machine}-{ {'darwin': 'macos', 'win32': 'windows'}.get(sys.platform, 'linux') }"


I8, I32 = ir.IntType(8), ir.IntType(32)
VIEW = ir.LiteralStructType([I64, I64, I64, I64, I32, I32, I64, I64, I64, I64, I64])
"""``Py_buffer`` of Python's stable interface: buf, obj, len, itemsize, readonly, ndim, format, shape and three more."""
BUF, OBJ, ITEMSIZE, NDIM, FORMAT, SHAPE = 0, 1, 3, 5, 6, 7
PLAIN = 0xC
"""``PyBUF_ND | PyBUF_FORMAT``: in C order, and saying of what type the items are."""
LETTERS = {
    "int8": "bb",
    "uint8": "BB",
    "int16": "hh",
    "uint16": "HH",
    "int32": "il",
    "uint32": "IL",
    "int64": "lq",
    "uint64": "LQ",
}
"""How a buffer may name its items; the size decides what ``l`` means."""


class _Entries:
    """The module of entries: what is called from outside, in IR."""

    def __init__(self) -> None:
        self.module = ir.Module("entries")
        self.host = ir.GlobalVariable(
            self.module, ir.ArrayType(I64, len(shared_library.HOST)), shared_library.HOST_SYMBOL
        )
        self.host.initializer = ir.Constant(self.host.type.pointee, None)
        self.take = self._take()

    def about(self, text: str) -> None:
        data = bytearray(text.encode() + b"\0")
        kind = ir.ArrayType(I8, len(data))
        reported = ir.GlobalVariable(self.module, kind, shared_library.ABOUT_SYMBOL)
        reported.initializer, reported.global_constant = ir.Constant(kind, data), True

    def add(self, name: str, made: Any) -> None:
        """Add both entries of a kernel."""
        for objects in (False, True):
            self._entry(shared_library.symbol(name, objects=objects), made, objects)

    def python(self, builder: ir.IRBuilder, name: str, *arguments: Any) -> Any:
        """Call a function of Python."""
        kind = ir.FunctionType(I64, [one.type for one in arguments])
        place = builder.load(builder.gep(self.host, [I64(0), I64(shared_library.HOST.index(name))]))
        return builder.call(builder.inttoptr(place, kind.as_pointer()), arguments)

    def _take(self) -> ir.Function:
        """Add ``i1 take(view, object, ndim, itemsize, letter, letter)``: get a buffer and look whether it is of this kind."""
        kind = ir.FunctionType(ir.IntType(1), [VIEW.as_pointer(), I64, I32, I64, I8, I8])
        function = ir.Function(self.module, kind, "take_buffer")
        view, thing, ndim, itemsize, letter, other = function.args
        builder = ir.IRBuilder(function.append_basic_block())
        refused = function.append_basic_block("refused")
        ir.IRBuilder(refused).ret(ir.IntType(1)(0))

        def wanted(condition: Any) -> None:
            further = function.append_basic_block()
            builder.cbranch(condition, further, refused)
            builder.position_at_end(further)

        status = self.python(builder, "PyObject_GetBuffer", thing, builder.ptrtoint(view, I64), I32(PLAIN))
        wanted(builder.icmp_signed("==", builder.trunc(status, I32), I32(0)))
        wanted(builder.icmp_signed("==", _field(builder, view, NDIM), ndim))
        wanted(builder.icmp_signed("==", _field(builder, view, ITEMSIZE), itemsize))
        said = builder.load(builder.inttoptr(_field(builder, view, FORMAT), I8.as_pointer()))
        either = (builder.icmp_signed("==", said, one) for one in (letter, other))
        wanted(builder.or_(*either))
        builder.ret(ir.IntType(1)(1))
        return function

    def _entry(self, symbol: str, made: Any, objects: bool) -> None:
        """Add ``i64 symbol(i64 *block)``, which returns ``FAILED`` after an error and ``REFUSED`` for a wrong argument.

        The block has a word for a number, for a class of numbers their address, and for an array either the address of the
        object (``objects``) or of its data followed by its shape; the arrays of a record stand in a row.
        """
        context = made.target_context
        function = ir.Function(self.module, ir.FunctionType(I64, [I64.as_pointer()]), symbol)
        builder = ir.IRBuilder(function.append_basic_block())
        taking = (_TakingObjects if objects else _Taking)(self, context, builder, function)
        arguments = taking.arguments(made.signature.args)
        callee = context.declare_function(self.module, made.fndesc)
        status, value = context.call_conv.call_function(
            builder, callee, made.fndesc.restype, made.fndesc.argtypes, arguments
        )
        taking.end()
        result = made.signature.return_type
        if result == types.none:
            value = I64(0)
        elif result == types.boolean:
            value = builder.zext(value, I64)
        else:
            assert result == types.int64, f"{symbol} returns {result}"
        builder.ret(builder.select(status.is_ok, value, I64(shared_library.FAILED)))


def _field(builder: ir.IRBuilder, view: Any, number: int) -> Any:
    return builder.load(builder.gep(view, [I32(0), I32(number)]))


def _arrays(kinds: Sequence[Any]) -> int:
    """Return how many arrays there are among arguments, those of records included."""
    return sum(
        _arrays(kind.types) if isinstance(kind, types.BaseTuple) else isinstance(kind, types.Array) for kind in kinds
    )


class _Taking:
    """Takes the arguments of one call out of the block, arrays by their data and shapes."""

    def __init__(self, entries: _Entries, context: Any, builder: ir.IRBuilder, function: ir.Function) -> None:
        self.entries, self.context, self.builder, self.function = entries, context, builder, function
        self.block, self.at = function.args[0], 0

    def arguments(self, kinds: Sequence[Any]) -> list[Any]:
        return [self._argument(kind) for kind in kinds]

    def end(self) -> None:
        """Give back what was taken."""

    def word(self) -> Any:
        self.at += 1
        return self.builder.load(self.builder.gep(self.block, [I64(self.at - 1)]))

    def _argument(self, kind: Any) -> Any:
        if isinstance(kind, types.Array):
            return self._array(kind, *self._place(kind))
        if isinstance(kind, types.BaseTuple):
            return self.context.make_tuple(self.builder, kind, [self._argument(one) for one in kind.types])
        if isinstance(kind, types.Record):
            return self.builder.inttoptr(self.word(), self.context.get_argument_type(kind))
        if kind == types.boolean:
            return self.builder.icmp_signed("!=", self.word(), I64(0))
        assert kind == types.int64, f"an argument of type {kind}"
        return self.word()

    def _place(self, kind: Any) -> tuple[Any, list[Any]]:
        """Return where the data of an array are, and its shape."""
        return self.word(), [self.word() for _ in range(kind.ndim)]

    def _array(self, kind: Any, data: Any, shape: list[Any]) -> Any:
        size = self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        strides = [I64(size)]
        for length in shape[:0:-1]:
            strides.insert(0, self.builder.mul(strides[0], length))
        array = arrayobj.make_array(kind)(self.context, self.builder)
        pointer = self.builder.inttoptr(data, array.data.type)
        arrayobj.populate_array(array, data=pointer, shape=shape, strides=strides, itemsize=I64(size), meminfo=None)
        return array._getvalue()


class _TakingObjects(_Taking):
    """Takes arrays by Python's buffer protocol, gives them back in the end, and lets go of the interpreter meanwhile."""

    def arguments(self, kinds: Sequence[Any]) -> list[Any]:
        """Take all; one that is of another kind is refused, when those before it have been given back."""
        b = self.builder
        row = b.alloca(VIEW, I32(_arrays(kinds)))
        self.views = [b.gep(row, [I64(number)]) for number in range(_arrays(kinds))]
        for view in self.views:  # releasing one that was never taken does nothing
            b.store(I64(0), b.gep(view, [I32(0), I32(OBJ)]))
        self.refuse = self.function.append_basic_block("refuse")
        refusing = ir.IRBuilder(self.refuse)
        self._release(refusing)
        refusing.ret(I64(shared_library.REFUSED))
        self.left = iter(self.views)
        found = super().arguments(kinds)
        self.thread = self.entries.python(b, "PyEval_SaveThread")
        return found

    def end(self) -> None:
        self.entries.python(self.builder, "PyEval_RestoreThread", self.thread)
        self._release(self.builder)

    def _release(self, builder: ir.IRBuilder) -> None:
        for view in self.views:
            self.entries.python(builder, "PyBuffer_Release", builder.ptrtoint(view, I64))

    def _place(self, kind: Any) -> tuple[Any, list[Any]]:
        b, view = self.builder, next(self.left)
        size = self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        letters = [I8(ord(letter)) for letter in LETTERS[str(kind.dtype)]]
        taken = b.call(self.entries.take, [view, self.word(), I32(kind.ndim), I64(size), *letters])
        further = self.function.append_basic_block()
        b.cbranch(taken, further, self.refuse)
        b.position_at_end(further)
        shape = b.inttoptr(_field(b, view, SHAPE), I64.as_pointer())
        return _field(b, view, BUF), [b.load(b.gep(shape, [I64(i)])) for i in range(kind.ndim)]


def linked(kernels: Sequence[numba_cache.Kernel], folder: Path, about: str) -> Any:
    """Return one LLVM module with all kernels and their entries; nothing else in it can be seen from outside."""
    entries = _Entries()
    entries.about(about)
    made = [kernel.compiled(folder) for kernel in kernels]
    for kernel, one in zip(kernels, made, strict=True):
        if not shared_library.inner(kernel.signature):
            entries.add(kernel.name, one)
    entries.module.triple = llvm.get_process_triple()
    module = llvm.parse_assembly(str(entries.module))
    seen = {shared_library.HOST_SYMBOL, shared_library.ABOUT_SYMBOL} | {
        f.name for f in module.functions if not f.is_declaration
    }
    for one in made:
        module.link_in(one.library._get_module_for_linking(), preserve=True)
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in seen:
            thing.linkage = llvm.Linkage.internal
    return module


def emitted(module: Any, target: str) -> bytes:
    """Return the object file of a linked module for a target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    cpu = "x86-64" if target.startswith("x86_64") else "generic"
    triple = TRIPLES[target]
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, reloc="pic", opt=3)
    body = "\n".join(
        line for line in str(module).splitlines() if not line.startswith(("target triple", "target datalayout"))
    )
    made = llvm.parse_assembly(f'target triple = "{triple}"\ntarget datalayout = "{machine.target_data}"\n{body}')
    # numba has optimised each kernel alone. All at once the records need not be copied from call to call, and what nobody calls
    # goes: A* 1.07 to 1.2 times as fast, the library half as large. Without vectors, as numba compiles (numba_cache._TARGET)
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(made, builder)
    return bytes(machine.emit_object(made))


def linker(target: str) -> list[str] | None:
    """Return the command that links an object file for a target, its files left out; None where there is none."""
    zig = shutil.which("zig")
    command = [zig] if zig else [sys.executable, "-m", "ziglang"] if importlib.util.find_spec("ziglang") else None
    if command is not None:
        return [*command, "cc", "-target", ZIG[target], "-shared", "-s"]
    own = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if own is None or target != here() or sys.platform == "win32":
        return None
    return [own, "-shared", *([] if sys.platform == "darwin" else ["-nostdlib", "-s"])]


def build(
    outputs: dict[str, Path], workers: int, notify: Callable[[str], None], modules: Sequence[str] | None = None
) -> None:
    """Compile all kernels of the package (or of these modules) and link them for each target into the file given.

    Raises:
        RuntimeError: There is no linker for a target, or it failed.
    """
    linkers = {target: linker(target) for target in outputs}
    for target, command in linkers.items():
        if command is None:
            raise RuntimeError(f"there is no linker for {target}: install a C compiler, or ziglang by pip")
    modules = compiler.kernel_modules() if modules is None else modules
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if workers > 1:
            compiler.side_by_side(modules, folder, workers, notify, OPTIONS)
        kernels = compiler.collect(modules, OPTIONS)
        with numba_cache.settings(None):
            notify(f"linking {len(kernels)} kernels")
            about = shared_library.about([kernel.name for kernel in kernels], compiler.sources(modules))
            module = linked(kernels, folder, about)
        for target, path in outputs.items():
            object_file, made = Path(folder, f"{target}.o"), Path(folder, f"{target}.so")
            object_file.write_bytes(emitted(module, target))
            done = subprocess.run(
                [*(linkers[target] or ()), "-o", str(made), str(object_file)],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise RuntimeError(f"linking for {target} failed: {done.stderr.strip()}")
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f".{path.name}.{os.getpid()}")
            shutil.copyfile(made, beside)
            beside.replace(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build for one target or several; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m kernels.build", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("output", type=Path, help="the library; of several targets, the folder of kernels-TARGET.so")
    parser.add_argument("--target", action="append", choices=[*TRIPLES], help="as often as you like; else this machine")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    chosen = parser.parse_args(arguments)
    targets = chosen.target or [here()]
    outputs = {targets[0]: chosen.output}
    if len(targets) > 1:
        outputs = {target: chosen.output / f"kernels-{target}.so" for target in targets}
    try:
        build(outputs, chosen.workers, lambda sentence: print(sentence, file=sys.stderr, flush=True))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
