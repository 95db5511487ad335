# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch: network.py matrix SIZE REPEATS, or network.py train IMAGES STEPS."""

import os
import sys
import time

import torch


def matrix(size: int, repeats: int) -> tuple[float, list[float]]:
    a, b = torch.rand(size, size), torch.rand(size, size)
    c = a @ b
    begin = time.perf_counter()
    for _ in range(repeats):
        c = a @ b
    return time.perf_counter() - begin, [c.double().sum().item(), c[0, 0].item(), c[-1, -1].item()]


def train(images: int, steps: int) -> tuple[float, list[float]]:
    """A small network of convolutions on made-up pictures."""
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(),
        torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(32 * 32 * 32, 10),
    )  # fmt: skip
    pictures, labels = torch.rand(images, 3, 64, 64), torch.randint(10, (images,))
    rule = torch.optim.SGD(net.parameters(), lr=0.01)
    losses: list[float] = []
    begin = time.perf_counter()
    for _ in range(steps):
        rule.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(pictures), labels)
        loss.backward()
        rule.step()
        losses.append(loss.item())
    return time.perf_counter() - begin, [losses[0], losses[-1]]


def main() -> None:
    torch.manual_seed(1)
    if "OMP_NUM_THREADS" not in os.environ:
        # What PyTorch counts as cores may be fewer.
        torch.set_num_threads(len(os.sched_getaffinity(0)))
    work = {"matrix": matrix, "train": train}[sys.argv[1]]
    seconds, found = work(int(sys.argv[2]), int(sys.argv[3]))
    print("threads:", torch.get_num_threads())
    print("result:", *found)
    print("seconds:", seconds)


if __name__ == "__main__":
    main()
