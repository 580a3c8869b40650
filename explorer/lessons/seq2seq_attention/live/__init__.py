"""The pictures that move under the pointer: what each draws, and its script and style sheet."""
