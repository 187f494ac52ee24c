"""Makes the pictures of this folder and measures.json: what Pillow, NumPy and scikit-image measure of them.

    python3 -m venv venv && venv/bin/pip install pillow numpy scikit-image && venv/bin/python make.py

The tests of the handlers of pictures compare their own measures with these to 1e-6.
"""

import json
import pathlib

import numpy as np
from PIL import Image
from skimage.metrics import structural_similarity

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 26, 19
random = np.random.default_rng(7)


def scene(width, height):
    """Smooth colours with a few edges and a little noise."""
    y, x = np.mgrid[0:height, 0:width]
    red = 120 + 100 * np.sin(x / 5.0)
    green = 110 + 90 * np.cos(y / 4.0)
    blue = 60 + 150 * ((x // 6 + y // 5) % 2)
    pixels = np.stack([red, green, blue], axis=-1) + random.normal(0, 6, (height, width, 3))
    return np.clip(pixels, 0, 255).astype(np.uint8)


def save(name, pixels, mode=None):
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels, mode)
    image.save(HERE / name, **({"quality": 90} if name.endswith(".jpg") else {}))


def saturated(pixels):
    hsv = np.array(Image.fromarray(pixels).convert("HSV")).astype(int)
    hsv[..., 1] = np.clip(hsv[..., 1] * 1.3, 0, 255)
    return np.array(Image.fromarray(hsv.astype(np.uint8), "HSV").convert("RGB"))


def make():
    photo = scene(WIDTH, HEIGHT)
    save("photo.png", photo)
    save("darker.png", (photo * 0.7).astype(np.uint8))
    save("saturated.png", saturated(photo))
    save("contrast.png", np.clip((photo.astype(float) - 128) * 1.25 + 128, 0, 255).astype(np.uint8))
    save("mirrored.png", photo[:, ::-1])
    save("other.png", scene(WIDTH, HEIGHT)[::-1])
    save("large.png", Image.fromarray(photo).resize((61, 47), Image.Resampling.LANCZOS))
    save("photo.jpg", photo)
    grey = np.array(Image.fromarray(photo).convert("L"))
    save("grey.png", grey)
    save("grey_noise.png", np.clip(grey + random.normal(0, 12, grey.shape), 0, 255).astype(np.uint8))
    alpha = np.where(np.indices((HEIGHT, WIDTH)).sum(axis=0) % 5 == 0, 120, 255).astype(np.uint8)
    save("alpha.png", np.dstack([photo, alpha]))
    save("alpha_dark.png", np.dstack([(photo * 0.8).astype(np.uint8), alpha]))
    save("palette.png", Image.fromarray(photo).quantize(64))
    save("colors.png", random.integers(0, 256, (40, 40, 3), dtype=np.uint8))


def load(name):
    return Image.open(HERE / name)


def ssim(a, b):
    return float(structural_similarity(np.array(a), np.array(b), channel_axis=-1))


def scaled(image, brightness):
    factor = 128 / brightness
    return image.point(lambda sample: min(255, int(sample * factor)))


def brightness(image):
    return float(np.array(image.convert("L"), dtype=np.float64).mean())


def squared_error(a, b):
    a, b = (np.array(scaled(image, brightness(image)), dtype=np.float64) / 255 for image in (a, b))
    return float(((a - b) ** 2).mean())


def checksum(image):
    samples = np.array(image, dtype=np.int64).reshape(-1)
    return int((samples * (1 + np.arange(samples.size) % 251)).sum())


def measure_pairs():
    pairs = {}
    for a, b in [
        ("darker.png", "photo.png"), ("saturated.png", "photo.png"), ("contrast.png", "photo.png"),
        ("mirrored.png", "photo.png"), ("other.png", "photo.png"), ("photo.jpg", "photo.png"),
        ("grey_noise.png", "grey.png"), ("alpha_dark.png", "alpha.png"),
    ]:
        one, other = load(a), load(b)
        pairs[f"{a} {b}"] = {"ssim": ssim(one, other), "squared_error": squared_error(one, other)}
    for a, b in [("saturated.png", "photo.png"), ("other.png", "photo.png")]:
        for index, channel in enumerate("HSV"):
            one, other = (load(name).convert("HSV").split()[index] for name in (a, b))
            pairs[f"{a} {b}"][f"ssim_{channel}"] = ssim(one, other)
    grey = [np.array(load(name)) for name in ("grey_noise.png", "grey.png")]
    pairs["grey_noise.png grey.png"]["ssim_square"] = float(structural_similarity(*grey))
    return pairs


def measure_images():
    images = {}
    for name in ["photo.png", "darker.png", "saturated.png", "contrast.png", "alpha.png", "grey.png", "colors.png"]:
        image = load(name)
        hue, saturation, value = image.convert("HSV").split()
        images[name] = {
            "mode": image.mode,
            "brightness": brightness(image),
            "saturation": float(np.array(saturation, dtype=np.float64).mean()),
            "deviation": float(np.array(image, dtype=np.float64).std()),
            "grey_checksum": checksum(image.convert("L")),
            "hsv_checksums": [checksum(hue), checksum(saturation), checksum(value)],
        }
    return images


def measure_sizes():
    sizes = []
    for name, width, height in [
        ("large.png", WIDTH, HEIGHT), ("photo.png", 61, 47), ("photo.png", 9, 30), ("colors.png", 7, 7), ("alpha.png", 11, 40),
    ]:
        image = load(name).resize((width, height))
        sizes.append({"name": name, "width": width, "height": height, "checksums": [checksum(c) for c in image.split()]})
    return sizes


make()
measures = {
    "pairs": measure_pairs(),
    "images": measure_images(),
    "sizes": measure_sizes(),
    "large_resized": ssim(load("large.png").resize((WIDTH, HEIGHT)), load("photo.png")),
}
(HERE / "measures.json").write_text(json.dumps(measures, indent=1) + "\n")
