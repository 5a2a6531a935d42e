"""The formats of traces, each read by a module of its own (docs/formats/trace.md)."""
