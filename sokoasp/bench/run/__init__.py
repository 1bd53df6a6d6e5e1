"""Running it: jobs in processes of their own, here or by Dask, and the store of what came back."""
