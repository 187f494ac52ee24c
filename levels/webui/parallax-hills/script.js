const layers = document.querySelectorAll("[data-speed]");

function move() {
  for (const layer of layers) {
    layer.style.transform = `translateY(${Math.round(window.scrollY * Number(layer.dataset.speed))}px)`;
  }
}

window.addEventListener("scroll", move);
move();
