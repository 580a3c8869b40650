"""An encoder that fills in blanks."""
