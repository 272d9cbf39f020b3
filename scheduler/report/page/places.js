// Places of the source, operations of a run and what they came to, in words and with the lines around them.

/** "solve.c:12 (main)"; the file's whole name is in the excerpt. */
function placeText(place) {
  if (!place) {
    return '';
  }
  const file = place.file ? place.file.split('/').pop() + ':' + place.line : '';
  const name = place.function || (place.file ? '' : (place.module || '').split('/').pop());
  return file && name ? file + ' (' + name + ')' : file || name;
}

/** The lines around a place; nothing where they are not there. */
function excerpt(data, place) {
  const lines = place && place.file ? data.sources[place.file + ':' + place.line] : null;
  if (!lines) {
    return null;
  }
  return make('div', {class: 'source'},
    make('div', {class: 'name'}, place.file + ':' + place.line),
    make('pre', {}, lines.lines.map((line, i) =>
      make('span', {class: lines.first + i === place.line ? 'hit' : null}, make('i', {}, String(lines.first + i)), line))));
}

function callAt(call, place) {
  const where = placeText(place);
  return (call || 'an operation') + (where ? ' at ' + where : '');
}

/** What an outcome of the notation stands for: "<-2", "=0+1", "=none", "@1=0~3". */
function outcomeText(cameTo) {
  const [, , what, falseAnswers] = /^(@\d+)?([^~]*)(?:~(\d+))?$/.exec(cameTo) || [null, null, cameTo, null];
  let text = what;
  if (what.startsWith('<-')) {
    text = 'took the message from rank ' + what.slice(2);
  } else if (what === '=none') {
    text = 'found nothing';
  } else if (what.startsWith('=')) {
    const positions = what.slice(1).split('+').map(Number);
    text = 'reported ' + numbered(positions, 'request');
  }
  return falseAnswers ? text + ' after ' + counted(Number(falseAnswers), 'false answer') : text;
}

/** What an operation of a finding's run came to. */
function epochOutcome(epoch) {
  let text = 'came to nothing';
  if (epoch.matched) {
    text = 'took the message from rank ' + epoch.matched.source + ' (tag ' + epoch.matched.tag + ')';
  } else if (epoch.completed && epoch.completed.length > 0) {
    text = 'reported ' + numbered(epoch.completed, 'request');
  } else if (epoch.outcome) {
    text = 'found nothing';
  }
  return epoch.false_answers ? text + ' after ' + counted(epoch.false_answers, 'false answer') : text;
}

/** What it could have come to instead; empty where there is nothing. */
function epochAlternatives(epoch) {
  const parts = [];
  if (epoch.alternatives.length > 0) {
    parts.push('could have taken the message from ' + numbered(epoch.alternatives.map((each) => each.source), 'rank'));
  }
  if (epoch.other_completions.length > 0) {
    parts.push('could have reported ' + numbered(epoch.other_completions, 'request'));
  }
  return parts.join('; ');
}

/** Empty for the usual one where it has no name. */
function communicatorName(data, id) {
  return data.communicators[id] || (id === '0' ? '' : 'communicator ' + id);
}

function isChoice(epoch) {
  return epoch.forced || epoch.alternatives.length > 0 || epoch.other_completions.length > 0;
}

function stackList(data, stack) {
  if (!stack || stack.length === 0) {
    return null;
  }
  return make('details', {}, make('summary', {}, 'call stack, ' + counted(stack.length, 'frame')),
    stack.map((place, i) => i < 6 ? [make('div', {class: 'code'}, placeText(place)), excerpt(data, place)]
      : make('div', {class: 'code'}, placeText(place))));
}
