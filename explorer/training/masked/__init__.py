"""Training of an encoder that fills in blanks."""
