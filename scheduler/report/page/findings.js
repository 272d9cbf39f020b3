// The first view: what was found, worst first.

function findingOf(data, entry) {
  return data[entry.list][entry.index];
}

/** "in rank 0, MPI_Recv at solve.c:12 (main)" */
function placeLine(data, entry) {
  const finding = findingOf(data, entry);
  const first = finding.situations[0];
  const where = first ? placeText(first.where) : '';
  return (finding.ranks.length > 0 ? 'in ' + numbered(finding.ranks, 'rank') : '') +
    (where ? (finding.ranks.length > 0 ? ', ' : '') + (first.call ? first.call + ' ' : '') + 'at ' + where : '');
}

function headline(data, entry) {
  return entry.title + ': ' + findingOf(data, entry).kind + ' ' + placeLine(data, entry);
}

function seenText(data, finding) {
  const all = counted(data.interleavings.explored, 'interleaving');
  const modes = finding.buffering.length > 0 ? ', under ' + finding.buffering.join(' and ') + ' buffering' : '';
  const repeated = !finding.repeated_by_mpi ? '' : finding.repeated_by_mpi.result === 'agreed'
    ? ' Repeated by MPI itself, with the same result.' : finding.repeated_by_mpi.result === 'differed'
      ? ' Repeated by MPI itself, with another result: ' + finding.repeated_by_mpi.what
      : ' Not repeated by MPI itself: ' + finding.repeated_by_mpi.what;
  const suppressed = finding.suppressed ? 'Suppressed: ' + finding.suppressed + '. ' : '';
  return suppressed + (finding.foreseen ? 'No run has shown it: that it can happen follows from others.' : finding.corpus_file ? 'Seen in the run of the kept file ' + finding.corpus_file + '.' : finding.shown_by === 'touches' ? "Seen in a run beside the sweep's own, which looks for loads and stores." : finding.count === 0 ? 'Seen in run ' + finding.first_interleaving + ', which is none of the interleavings.'
    : 'Seen in ' + finding.count + ' of ' + all + ', first in number ' + finding.first_interleaving + modes + '.' + outcomesText(finding)) + repeated;
}

/** Where interleavings stand for more outcomes than one: how many lead there, and how often they would by chance. */
function outcomesText(finding) {
  return Object.entries(finding.outcomes || {}).map(([mode, each]) => ' Outcomes that lead there under ' + mode + ' buffering: ' + each.outcomes
    + '; were each choice left to a fair die, ' + (100 * each.chance).toPrecision(3) + '% of runs.').join('');
}

/** Ranks in the same state together, each state with its line of the source and its stack. */
function stateList(data, finding) {
  return finding.groups.map((group) => {
    // By its number: a rank may have several, as where it touches the buffer of an operation that is pending.
    const situation = finding.situations[group.situation];
    return make('div', {class: 'state'},
      make('div', {}, make('strong', {}, group.name + ': '), group.call),
      group.detail ? make('div', {class: 'faint'}, group.detail) : null,
      excerpt(data, situation.where), stackList(data, situation.stack));
  });
}

/** The few operations at which the run could have gone another way. */
function choiceList(data, finding) {
  const needed = finding.needed;
  const isNeeded = (epoch) => needed.choices.some((each) => each.rank === epoch.rank && each.index === epoch.index);
  const choices = finding.epochs.filter(needed ? isNeeded : isChoice);
  if (needed && needed.choices.length === 0) {
    return make('p', {}, needed.runs === 0 ? 'Whatever is chosen leads there.' :
      'No choice is needed for it, as ' + counted(needed.runs, 'further run') + ' show.');
  }
  if (choices.length === 0) {
    return null;
  }
  if (!needed && finding.choices_matter === false) {
    return make('p', {}, 'Each interleaving that was explored and came to its end shows it, so no choices are listed.');
  }
  const most = 8;
  const fewer = needed && choices.length < finding.epochs.filter(isChoice).length;
  const title = !needed || needed.runs === 0 ? 'The choices that lead there' :
    needed.choices.length === 1 ? 'The choice that is needed' : 'The choices that are needed';
  const why = !needed ? '' : needed.runs === 0 ? (fewer ? 'Whatever else is chosen leads there, too.' : '') :
    'As ' + counted(needed.runs, 'further run') + ' show; whatever else is chosen led there, too.' +
      (needed.all_tried ? '' : ' There was no time to see whether all of them are needed.');
  const shown = new Set();
  const firstExcerpt = (where) => {
    const words = placeText(where);
    const known = shown.has(words);
    shown.add(words);
    return known ? null : excerpt(data, where);
  };
  return [make('h3', {}, title), why ? make('p', {class: 'faint'}, why) : null,
    make('ol', {}, choices.slice(0, most).map((epoch) => make('li', {},
      'Rank ' + epoch.rank + ', ' + callAt(epoch.call, epoch.where) + ': ' + epochOutcome(epoch) +
        (epoch.forced ? ' (forced by dampi)' : ''),
      epochAlternatives(epoch) ? make('span', {class: 'faint'}, '; it ' + epochAlternatives(epoch)) : null,
      firstExcerpt(epoch.where), epoch.stack.length > 1 ? stackList(data, epoch.stack) : null))),
    choices.length > most ? make('p', {class: 'faint'}, counted(choices.length - most, 'more choice') +
      ' are in the interleaving.') : null];
}

/** Messages and receives without a partner; ranks that did the same together. */
function unmatchedList(finding) {
  const groups = new Map();
  for (const each of finding.unmatched) {
    const words = (each.operation === 'send' ? ' to rank ' + each.peer : ' from ' + (each.peer === null ? 'any rank' : 'rank ' + each.peer)) +
      ', ' + (each.tag === null ? 'any tag' : 'tag ' + each.tag) + ', on ' + each.communicator +
      (each.count > 1 ? ', ' + each.count + ' times' : '') + (each.where ? ', ' + placeText(each.where) : '');
    groups.set(words, [...(groups.get(words) || []), each.rank]);
  }
  const all = [...groups];
  const most = 40;
  return all.length === 0 ? null : [make('h3', {}, 'Without a partner'),
    make('ul', {}, all.slice(0, most).map(([words, ranks]) => make('li', {},
      (words.startsWith(' to ') ? 'Message of ' : 'Receive of ') + numbered([...new Set(ranks)].sort((a, b) => a - b), 'rank') + words))),
    all.length > most ? make('p', {class: 'faint'}, 'and ' + (all.length - most) + ' more') : null];
}

/** Beside its title. */
function countText(data, finding) {
  return finding.foreseen ? 'foreseen' : finding.count === 0 ? 'in a further run'
    : finding.count + ' of ' + counted(data.interleavings.explored, 'interleaving');
}

function findingBody(page, entry) {
  const data = page.data;
  const finding = findingOf(data, entry);
  const kind = data.kinds[finding.kind];
  const go = (view) => () => page.show(view, entry);
  const copyButton = make('button', {onclick: () => copy(finding.replay, copyButton)}, 'copy');
  return [
    make('p', {}, finding.message),
    make('p', {}, make('strong', {}, 'What it means. '), kind.sentence),
    make('p', {}, make('strong', {}, 'What to do. '), kind.remedy,
      finding.wait_for ? ' Who waits for whom is in the view of that name.' : ''),
    finding.consequences && finding.consequences.length ? make('p', {}, 'It led to: ' + finding.consequences.join(', ')) : null,
    (finding.other_forms || []).map((form) => make('p', {}, 'Under ' + form.buffering.join(' and ') +
      ' buffering it is seen as ' + form.kind + (form.where ? ' at ' + placeText(form.where) : '') + ': ' + form.message)),
    finding.comes_after && finding.comes_after.length ? make('p', {}, 'It comes after ' +
      numbered(finding.comes_after.map((index) => index + 1), 'violation') + ' in the same run, and may follow from ' +
      (finding.comes_after.length === 1 ? 'it.' : 'them.')) : null,
    make('p', {class: 'faint'}, 'An example of it: ', make('code', {}, kind.explain)),
    make('p', {class: 'faint'}, seenText(data, finding)),
    make('div', {class: 'row'},
      finding.epochs.length + finding.situations.length > 0
        ? make('button', {onclick: go('interleaving')}, 'Show its interleaving') : null,
      finding.difference ? make('button', {onclick: go('difference')}, 'Compare with one that passes') : null,
      finding.wait_for ? make('button', {onclick: go('waits')}, 'Who waits for whom') : null),
    finding.groups.length > 0 ? make('h3', {}, 'What the ranks were doing') : null,
    stateList(data, finding),
    unmatchedList(finding),
    choiceList(data, finding),
    finding.printed && finding.printed.length > 0 ? make('p', {}, "The program's output in this run: ",
      finding.printed.map((file, i) => [i > 0 ? ', ' : '', make('a', {href: file}, file)])) : null,
    finding.replay ? [make('h3', {}, 'To see it again'),
      make('div', {class: 'row'}, make('code', {class: 'command'}, finding.replay), copyButton)] : null];
}

function findingsView(page) {
  const data = page.data;
  if (data.worst_first.length === 0) {
    return [make('h2', {}, 'Nothing was found'),
      make('p', {}, data.complete_means),
      data.complete ? null : make('p', {}, make('button', {onclick: () => page.show('about')}, 'What was left out'))];
  }
  const all = data.violations.length + data.doubts.length + data.notes.length;
  const cards = data.worst_first.map((entry, i) => {
    const body = make('div', {});
    const kind = data.kinds[findingOf(data, entry).kind];
    const open = () => {
      if (card.open && body.childNodes.length === 0) {
        body.append(...[findingBody(page, entry)].flat(3).filter((child) => child));
      }
    };
    const severity = findingOf(data, entry).severity;
    const card = make('details', {class: 'card ' + severity, ontoggle: open, open: i === 0 || null},
      make('summary', {}, make('span', {class: 'badge ' + (severity === 'error' ? 'bad' : 'maybe')},
        findingOf(data, entry).kind), entry.title + ' ' + placeLine(data, entry), ' ',
        make('span', {class: 'faint'}, countText(data, findingOf(data, entry)))), body);
    open();
    return card;
  });
  return [make('h2', {}, counted(all, 'finding') + (all > 1 ? ', worst first' : '')),
    data.worst_first.some((entry, i) => i > 0 && entry.list === data.worst_first[i - 1].list && entry.index < data.worst_first[i - 1].index)
      ? make('p', {class: 'faint'}, 'Their numbers are those of the text and of report.json, in the order in which they were found.') : null, cards,
    all > data.worst_first.length ? make('p', {class: 'faint'}, 'The other ' + (all - data.worst_first.length) +
      ' are in report.json.') : null];
}
