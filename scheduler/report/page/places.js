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

/** A message by what tells it apart; the tag where it is known. */
function messageText(source, tag) {
  return 'the message' + (tag === undefined || tag === null ? '' : ' with tag ' + tag) + ' from rank ' + source;
}

/** Of polls that answered false before; those, where they are known. */
function afterFalseAnswers(count, polls) {
  return count ? ' after ' + counted(count, 'false answer') + (polls && polls.length > 0 ? ' of ' + polls.slice(0, 6).join(', ') +
    (polls.length > 6 ? ' and others' : '') : '') : '';
}

/** Requests that a call reported, with the messages that came with them: [request, source, tag]. */
function reportedText(positions, messages) {
  const known = (messages || []).filter((each) => positions.includes(each[0])).slice(0, 6);
  return 'reported ' + numbered(positions, 'request') + (known.length === 0 ? '' : ' (' + known.map(([request, source, tag]) =>
    (positions.length > 1 ? request + ': ' : '') + messageText(source, tag)).join('; ') + ')');
}

/** What an outcome of the notation stands for: "<-2", "=0+1", "=none", "@1=0~3". `messages`: what it took, as far as that
 *  is known; `polls`: what answered false before. */
function outcomeText(cameTo, messages, polls) {
  const [, , what, falseAnswers] = /^(@\d+)?([^~]*)(?:~(\d+))?$/.exec(cameTo) || [null, null, cameTo, null];
  let text = what;
  if (what.startsWith('<-')) {
    const taken = (messages || []).find((each) => String(each[1]) === what.slice(2));
    text = 'took ' + messageText(what.slice(2), taken && taken[2]);
  } else if (what === '=none') {
    text = 'found nothing';
  } else if (what.startsWith('=')) {
    text = reportedText(what.slice(1).split('+').map(Number), messages);
  }
  return text + afterFalseAnswers(Number(falseAnswers), polls);
}

/** What an operation of a finding's run came to. `messages`: those of its requests, as far as they are known. */
function epochOutcome(epoch, messages) {
  let text = 'came to nothing';
  if (epoch.matched) {
    text = 'took ' + messageText(epoch.matched.source, epoch.matched.tag);
  } else if (epoch.completed && epoch.completed.length > 0) {
    text = reportedText(epoch.completed, messages);
  } else if (epoch.outcome) {
    text = 'found nothing';
  }
  return text + afterFalseAnswers(epoch.false_answers, epoch.false_polls);
}

/** Messages that could have been taken: those of the same tag together. */
function alternativesText(alternatives) {
  const byTag = new Map();
  for (const each of alternatives) {
    byTag.set(each.tag, [...(byTag.get(each.tag) || []), each.source]);
  }
  return [...byTag].slice(0, 6).map(([tag, sources]) => sources.length === 1 ? messageText(sources[0], tag)
    : 'a message with tag ' + tag + ' from one of ' + numbered(sources, 'rank')).join(' or ') + (byTag.size > 6 ? ' or another one' : '');
}

/** What it could have come to instead; empty where there is nothing. */
function epochAlternatives(epoch, messages) {
  const parts = [];
  if (epoch.alternatives.length > 0) {
    parts.push('could have taken ' + alternativesText(epoch.alternatives));
  }
  if (epoch.other_completions.length > 0) {
    parts.push('could have ' + reportedText(epoch.other_completions, messages));
  }
  for (const poll of (epoch.other_polls || []).filter((each) => each.alternatives.length > 0)) {
    parts.push('could have come to ' + alternativesText(poll.alternatives) + ' by its ' + (poll.words || poll.call));
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
