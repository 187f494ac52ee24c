const voices = [
  ["I meant to read one page and missed my stop, and the one after that.", "Hanna, bus driver", 5],
  ["My children now ask for maps at bedtime.", "Oskar, father of three", 4],
  ["There is a mistake on page 212. Everything else is perfect.", "Prof. Ilse Marten", 5],
  ["It arrived wet and I read it anyway.", "Bruno, lighthouse keeper", 5],
  ["Too short. I started again.", "Wei, student", 4],
];
let middle = 0;

function voiceOf(index, kind) {
  const [words, who, stars] = voices[(index + voices.length) % voices.length];
  const mark = kind === "middle" ? `<span class="mark" data-filter-by="background-color" data-evalby="text|color|background-color|border-radius|width|height">“</span>` : "";
  return `<figure class="voice ${kind}">${mark}
    <p class="words" data-filter-by="text" data-evalby="text|color|font-size|font-family|height">${words}</p>
    <p class="who" data-filter-by="text" data-evalby="text|color|font-size|font-weight">${who}</p>
    <p class="stars" data-filter-by="letter-spacing" data-evalby="text|color|font-size|letter-spacing">${"★".repeat(stars)}</p>
  </figure>`;
}

function show() {
  document.getElementById("row").innerHTML = voiceOf(middle - 1, "side") + voiceOf(middle, "middle") + voiceOf(middle + 1, "side");
  document.getElementById("dots").innerHTML = voices
    .map((_, index) => `<span class="dot ${index === middle ? "active" : ""}" data-filter-by="background-color" data-evalby="background-color|border-radius|width|height"></span>`)
    .join("");
}

function move(by) {
  middle = (middle + by + voices.length) % voices.length;
  show();
}

document.getElementById("before").addEventListener("click", () => move(-1));
document.getElementById("after").addEventListener("click", () => move(1));
show();
