const cube = document.getElementById("cube");
let around = 30;
let down = 20;

function turn(byAround, byDown) {
  around += byAround;
  down += byDown;
  cube.style.transform = `rotateX(${-down}deg) rotateY(${around}deg)`;
  document.getElementById("angle").textContent = `${around}° around, ${down}° down`;
}

document.getElementById("left").addEventListener("click", () => turn(-75, 0));
document.getElementById("right").addEventListener("click", () => turn(75, 0));
document.getElementById("tip").addEventListener("click", () => turn(0, 25));
