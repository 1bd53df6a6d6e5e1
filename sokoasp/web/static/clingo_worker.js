"use strict";
/* Runs clingo (WebAssembly) on one program; a classic worker, since clingo's own script is one. It is ended to stop it. */
onmessage = async ({data: {folder, program, options}}) => {
  const line = (text) => postMessage({line: text}), fault = (text) => postMessage({fault: text});
  try {
    importScripts(`${folder}clingo.js`);
    const clingo = await Module({locateFile: (name) => folder + name, print: line, printErr: fault});
    postMessage({status: clingo.ccall("run", "number", ["string", "string"], [program, options])});
  } catch (error) { postMessage({fault: `clingo: ${error.message ?? error}`, status: 65}); }
};
