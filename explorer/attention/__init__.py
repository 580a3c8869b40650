"""The mathematics of attention: pure functions of tensors, no parameters, no state."""
