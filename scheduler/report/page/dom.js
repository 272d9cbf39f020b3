// Elements, and words for numbers. What comes from the program is only ever text: nothing here takes markup.
'use strict';

/** An element with attributes ('on...' are listeners) and children, which are elements or text. */
function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Likewise of a drawing. */
function draw(tag, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

/** "1 choice", "2 choices". */
function counted(number, noun) {
  return number + ' ' + noun + (number === 1 ? '' : 's');
}

/** "rank 3", "ranks 0-3, 5" of sorted numbers; with another word, "requests 0, 2". */
function numbered(numbers, word) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let end = i;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) {
      ++end;
    }
    parts.push(end === i ? numbers[i] : numbers[i] + (end === i + 1 ? ', ' : '-') + numbers[end]);
    i = end + 1;
  }
  const shown = parts.length > 24 ? parts.slice(0, 24).join(', ') + ' and more' : parts.join(', ');
  return word + (numbers.length === 1 ? ' ' : 's ') + shown;
}

function shortened(text, most) {
  return text.length > most ? text.slice(0, most - 1) + '\u2026' : text;
}

/** Puts text where the user can paste it from; says on the button whether that went well. */
async function copy(text, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {
    const area = make('textarea', {});
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand('copy');
    area.remove();
  }
  button.textContent = done ? 'copied' : 'select it and copy it yourself';
}
