#!/usr/bin/env python3
"""Prints the table of tests/core/figures_test.cpp: figures of two images made by a rule, by NumPy and scikit-image.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-image
    /tmp/venv/bin/python tests/core/figure_goldens.py
"""
import numpy as np
import skimage
from skimage.measure import shannon_entropy
from skimage.metrics import peak_signal_noise_ratio, structural_similarity


def images(most):
    """As ruled() there: a wave with repeatable noise, and the same with more contrast."""
    height, width, state, before = 75, 100, 7, np.zeros((75, 100), np.int64)
    for y in range(height):
        for x in range(width):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            before[y, x] = most * (90 + (x * y) % 60) // 255 + (state >> 16) % (most * 9 // 255)
    return before, np.clip((before - most // 2) * 4 + most // 2, 0, most)


for most in (255, 4095):
    before, after = images(most)
    rows, columns = np.gradient(after.astype(float))
    squared = ((after - before).astype(float) ** 2).mean()
    assert abs(peak_signal_noise_ratio(before, after, data_range=most) - 10 * np.log10(most ** 2 / squared)) < 1e-9
    # With valid positions alone, since theirs mirrors the borders and then leaves them out by 5 pixels.
    ssim = structural_similarity(before.astype(float), after.astype(float), data_range=most, gaussian_weights=True,
                                 sigma=1.5, use_sample_covariance=False, truncate=3.5)
    blocks = after[:72, :96].reshape(9, 8, 12, 8).swapaxes(1, 2).reshape(-1, 64).astype(float)
    level = most / 255
    eme = (20 * np.log((blocks.max(1) + level) / (blocks.min(1) + level))).mean()
    print(f"    {{{most}, {{{{\"mean\", {after.mean():.9f}}},")
    for name, value in (("entropy", shannon_entropy(after)), ("rms", after.std() / most),
                        ("michelson", (after.max() - after.min()) / (after.max() + after.min())), ("eme", eme),
                        ("gradient", np.hypot(rows, columns).mean()),
                        ("clipped", 100 * ((after == 0) | (after == most)).mean()),
                        ("mean_difference", np.abs(after - before).mean()),
                        ("psnr", peak_signal_noise_ratio(before, after, data_range=most)), ("ssim", ssim)):
        print(f"      {{\"{name}\", {value:.9f}}},")
    print("     }},")
print(f"// scikit-image {skimage.__version__}, NumPy {np.__version__}")
