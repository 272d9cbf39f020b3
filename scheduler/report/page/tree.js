// The fourth view: the tree of choices that the interleavings make up, where bounds left something out, and what each
// call that chooses took and could have taken.

const MOST_BRANCHES = 60;

/** The interleavings, each with what its operations came to. */
function runsOf(data) {
  return data.runs.list.map(([number, mode, text, kinds, sites]) => {
    const outcomes = new Map();
    const words = text.slice(1, -1).split(' ').filter((word) => /^\d+#\d+/.test(word));
    words.forEach((word, i) => {
      const [, rank, index, cameTo] = /^(\d+)#(\d+)(.*)$/.exec(word);
      outcomes.set(rank + '#' + index, {rank: Number(rank), index: Number(index), cameTo, site: sites[i]});
    });
    return {number, mode: data.runs.modes[mode], kinds: kinds.map((kind) => data.runs.kinds[kind]), outcomes};
  });
}

/** The operation by which these runs are told apart first: one that came to different things, that most of them reached
    and that comes early. None where all came to the same. */
function firstChoice(runs) {
  const seen = new Map();
  for (const run of runs) {
    for (const [name, outcome] of run.outcomes) {
      const known = seen.get(name);
      if (!known) {
        seen.set(name, {name, outcome, runs: 1, differs: false});
      } else {
        known.runs += 1;
        known.differs = known.differs || known.outcome.cameTo !== outcome.cameTo;
      }
    }
  }
  let best = null;
  for (const each of seen.values()) {
    if (!each.differs && each.runs === runs.length) {
      continue;
    }
    const better = !best || each.runs > best.runs || (each.runs === best.runs &&
      (each.outcome.index < best.outcome.index || (each.outcome.index === best.outcome.index && each.outcome.rank < best.outcome.rank)));
    if (better) {
      best = each;
    }
  }
  return best;
}

function tally(runs) {
  const kinds = new Map();
  let clean = 0;
  for (const run of runs) {
    clean += run.kinds.length === 0 ? 1 : 0;
    run.kinds.forEach((kind) => kinds.set(kind, (kinds.get(kind) || 0) + 1));
  }
  return [counted(runs.length, 'interleaving') + ' ',
    clean > 0 ? make('span', {class: 'badge good'}, clean === runs.length ? 'all pass' : clean + ' pass') : null,
    [...kinds].map(([kind, count]) => make('span', {class: 'badge bad'}, kind + (count === runs.length ? '' : ' in ' + count)))];
}

/** What was left out at this place. */
function leftOutAt(data, where) {
  const found = [];
  for (const left of data.left_out) {
    for (const place of left.places) {
      if (place.alternatives > 0 && where && place.where && place.where.file === where.file && place.where.line === where.line &&
          place.where.function === where.function) {
        found.push(make('span', {class: 'badge maybe', title: left.what}, counted(place.alternatives, 'alternative') + ' left out here'));
      }
    }
  }
  return found;
}

/** The branches below these runs, made when they are opened. */
function branches(data, runs) {
  const choice = firstChoice(runs);
  if (!choice) {
    return make('ul', {}, runs.slice(0, MOST_BRANCHES).map((run) => make('li', {}, 'interleaving ' + run.number + ' (' + run.mode +
      ' buffering) ', run.kinds.length === 0 ? make('span', {class: 'badge good'}, 'passes') :
      run.kinds.map((kind) => make('span', {class: 'badge bad'}, kind)))),
      runs.length > MOST_BRANCHES ? make('li', {class: 'faint'}, 'and ' + (runs.length - MOST_BRANCHES) + ' more') : null);
  }
  const groups = new Map();
  for (const run of runs) {
    const outcome = run.outcomes.get(choice.name);
    const cameTo = outcome ? outcome.cameTo : '';
    if (!groups.has(cameTo)) {
      groups.set(cameTo, []);
    }
    groups.get(cameTo).push(run);
  }
  const site = typeof choice.outcome.site === 'number' ? data.sites[choice.outcome.site] : null;
  const sorted = [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', {numeric: true}));
  return make('div', {},
    make('div', {}, make('strong', {}, 'Rank ' + choice.outcome.rank), ' (' + choice.name + '), ' +
      (site ? callAt(site.call, site.where) : 'an operation') + ' ', leftOutAt(data, site ? site.where : null)),
    make('ul', {}, sorted.slice(0, MOST_BRANCHES).map(([cameTo, some]) => {
      const node = make('details', {ontoggle: () => {
        if (node.open && node.childNodes.length === 1) {
          node.append(branches(data, some));
        }
      }}, make('summary', {}, (cameTo ? outcomeText(cameTo) : 'did not come to it') + ': ', tally(some)));
      return make('li', {}, node);
    }), sorted.length > MOST_BRANCHES ? make('li', {class: 'faint'}, 'and ' + (sorted.length - MOST_BRANCHES) + ' more') : null));
}

/** Call sites against sources. */
function coverageTable(data) {
  const most = 32;
  const sites = data.sites.filter((site) => site.messages);
  const choices = data.sites.filter((site) => !site.messages);
  const narrow = data.processes <= most;
  const columns = narrow ? Array.from({length: data.processes}, (_, rank) => rank) : [];
  const cell = (site, rank) => site.taken.includes(rank) ? make('td', {class: 'cell taken'}, 'taken')
    : site.possible.includes(rank) ? make('td', {class: 'cell possible'}, 'possible') : make('td', {class: 'cell never'}, 'never');
  const list = (numbers, word) => numbers.length > 0 ? numbered(numbers, word) : 'none';
  const onlyPossible = (site) => site.possible.filter((number) => !site.taken.includes(number));
  const rows = (all, word) => all.map((site) => make('tr', {}, make('td', {}, callAt(site.call, site.where)),
    make('td', {}, list(site.taken, word)), make('td', {}, list(onlyPossible(site), word))));
  const listed = (all, word) => make('div', {class: 'wide'}, make('table', {}, make('thead', {}, make('tr', {},
    make('th', {}, 'call'), make('th', {}, 'taken'), make('th', {}, 'possible, and not taken'))), make('tbody', {}, rows(all, word))));
  return [
    sites.length === 0 ? make('p', {}, 'No call chose a message.')
      : narrow ? make('div', {class: 'wide'}, make('table', {class: 'coverage'}, make('thead', {}, make('tr', {}, make('th', {}, 'call'),
        columns.map((rank) => make('th', {}, 'from ' + rank)))), make('tbody', {}, sites.map((site) => make('tr', {},
          make('td', {}, callAt(site.call, site.where), ' ', leftOutAt(data, site.where)), columns.map((rank) => cell(site, rank)))))))
        : listed(sites, 'rank'),
    choices.length > 0 ? [make('h3', {}, 'Calls that chose among requests'), listed(choices, 'request')] : null,
    make('p', {class: 'legend'}, 'Taken: in some run it came from there. Possible: it could have, as the clocks say, but no ' +
      'run that was made took it. Never: no run had such a message for this call.' +
      (data.sites_omitted ? ' There are more calls and sources than are kept.' : ''))];
}

function treeView(page) {
  const data = page.data;
  const runs = page.runs = page.runs || runsOf(data);
  const left = data.left_out.filter((each) => each.places.length > 0);
  return [make('h2', {}, 'The choices'),
    runs.length === 0 ? make('p', {}, 'What each interleaving came to is not kept in this page.')
      : make('div', {class: 'tree'}, make('p', {}, tally(runs)), branches(data, runs)),
    data.runs.omitted > 0 ? make('p', {class: 'faint'}, counted(data.runs.omitted, 'interleaving') + ' not shown: there are too many.') : null,
    make('h2', {}, 'What was left out, and where'),
    data.left_out.length === 0 ? make('p', {}, 'Nothing.') : null,
    data.left_out.filter((each) => each.places.length === 0).map((each) => make('p', {}, each.what + (each.remedy ? ' (' + each.remedy + ')' : ''))),
    left.map((each) => [make('p', {}, each.what + (each.remedy ? ' (' + each.remedy + ')' : '')),
      make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'call'), make('th', {}, 'alternatives'))),
        make('tbody', {}, each.places.slice(0, 100).map((place) => make('tr', {}, make('td', {}, callAt(place.call, place.where)),
          make('td', {}, String(place.alternatives))))))]),
    make('h2', {}, 'Which call took messages from where'), coverageTable(data)];
}
