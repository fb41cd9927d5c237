"""Plots of a result folder: results (reads it), drawing (one figure), figures (which ones)."""
