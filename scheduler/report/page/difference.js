// The third view: an interleaving that fails beside the nearest one that passes.

const MOST_CHOICES = 12;

function siteOf(data, outcome) {
  return outcome && outcome.site !== null && outcome.site !== undefined ? data.sites[outcome.site] : null;
}

/** What polls answered false before an outcome of the run that fails. */
function falsePolls(finding, outcome) {
  const epoch = finding.epochs.find((each) => each.rank === outcome.rank && each.index === outcome.index);
  return epoch ? epoch.false_polls : [];
}

function outcomeLine(data, outcome, polls) {
  const site = siteOf(data, outcome);
  return [make('div', {}, outcomeText(outcome.came_to, outcome.messages, polls)),
    make('div', {class: 'faint'}, '#' + outcome.index + (site ? ', ' + callAt(site.call, site.where) : ''))];
}

/** An operation, what it came to on either side, and its line. */
function choiceCard(data, finding, choice) {
  const site = siteOf(data, choice.failing) || siteOf(data, choice.passing);
  const side = (name, words, outcome, polls) => make('div', {class: 'differs ' + name}, make('strong', {}, words + ' '),
    'it ' + outcomeText(outcome.came_to, outcome.messages, polls));
  return make('div', {class: 'state'},
    make('div', {}, make('strong', {}, 'Rank ' + choice.failing.rank + ': '),
      (site ? callAt(site.call, site.where) : 'an operation') + ', ' + choice.failing.rank + '#' + choice.failing.index),
    make('div', {class: 'sides'}, side('failing', 'Where it fails', choice.failing, falsePolls(finding, choice.failing)), side('passing', 'Where it passes', choice.passing)),
    site ? excerpt(data, site.where) : null);
}

/** How the rank ended in the run that fails. */
function endOf(finding, rank) {
  const group = finding.groups.find((each) => each.ranks.includes(rank));
  return group ? group.call : '';
}

/** The table of these rows, with what is not listed and how the ranks ended. */
function sideBySide(rows, finding, each) {
  const more = (number) => number > 0 ? 'and ' + number + ' more' : '';
  if (each.failing_omitted + each.passing_omitted > 0) {
    rows.push(make('tr', {}, make('td', {}, more(each.failing_omitted)), make('td', {}, more(each.passing_omitted))));
  }
  const end = endOf(finding, each.rank);
  if (end) {
    rows.push(make('tr', {}, make('td', {class: 'differs failing'}, 'at the end: ' + end), make('td', {class: 'differs passing'},
      finding.difference.clean ? 'ended well' : 'ended otherwise')));
  }
  return make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'where it fails'), make('th', {}, 'where it passes'))),
    make('tbody', {}, rows));
}

function rankTable(data, finding, each) {
  const rows = [];
  const byIndex = new Map();
  for (const side of ['failing', 'passing']) {
    for (const outcome of each[side]) {
      byIndex.set(outcome.index, {...byIndex.get(outcome.index), [side]: outcome});
    }
  }
  for (const index of [...byIndex.keys()].sort((a, b) => a - b)) {
    const {failing, passing} = byIndex.get(index);
    const differs = !failing || !passing || failing.came_to !== passing.came_to ? 'differs ' : '';
    rows.push(make('tr', {},
      make('td', {class: differs + 'failing'}, failing ? outcomeLine(data, failing, falsePolls(finding, failing)) : 'did not come to it'),
      make('td', {class: differs + 'passing'}, passing ? outcomeLine(data, passing) : 'did not come to it')));
  }
  return sideBySide(rows, finding, each);
}

/** What a rank called from the first call on that is another one, or was told something else. */
function callTable(data, finding, failing, passing, each) {
  const words = (calls, call) => [call.call, placeText(call.where), callArguments(data, call), callOutcome(calls, call)].join();
  const rows = [];
  for (let i = 0; i < Math.max(each.failing.length, each.passing.length); ++i) {
    const [one, other] = [failing[each.failing[i]], passing[each.passing[i]]];
    const differs = !one || !other || words(failing, one) !== words(passing, other) ? 'differs ' : '';
    rows.push(make('tr', {}, make('td', {class: differs + 'failing'}, one ? callLine(data, failing, one) : ''),
      make('td', {class: differs + 'passing'}, other ? callLine(data, passing, other) : '')));
  }
  return sideBySide(rows, finding, each);
}

/** Ranks whose tables are the same, each with its table: those that come first in the list first, and of each its ranks in
 *  order. A table says nothing of its own rank, so what is shown of one holds for all of them. */
function alikeRanks(ranks, tableOf) {
  const groups = new Map();
  for (const each of ranks) {
    const table = tableOf(each);
    const key = [...table.rows].map((row) => row.innerHTML).join();
    if (!groups.has(key)) {
      groups.set(key, {table, ranks: [], same: []});
    }
    groups.get(key).ranks.push(each.rank);
    groups.get(key).same.push(each.same);
  }
  return [...groups.values()].map((group) => ({...group, ranks: group.ranks.sort((a, b) => a - b)}));
}

/** What the ranks did: with all their calls where they are known, otherwise what their choices came to. */
function rankTables(data, finding) {
  const difference = finding.difference;
  const [failing, passing] = [callsOf(finding.calls), callsOf(finding.passing_calls)];
  const both = failing && passing;
  const groups = alikeRanks(both ? finding.call_differences : difference.ranks,
    (each) => both ? callTable(data, finding, failing, passing, each) : rankTable(data, finding, each));
  const noun = both ? 'call' : 'operation';
  const title = (group) => {
    const [least, most] = [Math.min(...group.same), Math.max(...group.same)];
    const name = numbered(group.ranks, 'rank');
    return name[0].toUpperCase() + name.slice(1) + (most === 0 ? '' : ', after ' +
      (least === most ? '' : least + ' to ') + counted(most, noun) + ' with the same outcome');
  };
  return [groups.length > 0 ? make('h2', {}, 'What the ranks did differently from there on') : null,
    both || !finding.why_no_calls || groups.length === 0 ? null : make('p', {class: 'faint'},
      'Not all calls of the two runs are listed here, but the operations that choose: ' + finding.why_no_calls + '.'),
    groups.map((group) => make('div', {class: 'wide'}, make('h3', {}, title(group)), group.table)),
    !both && difference.ranks_omitted > 0 ? make('p', {class: 'faint'}, 'and ' + counted(difference.ranks_omitted, 'other rank')) : null];
}

function differenceView(page) {
  const entry = page.entry;
  const data = page.data;
  const finding = findingOf(data, entry);
  const difference = finding.difference;
  const head = [page.chooser(), make('h2', {}, 'What is different where it passes: ' + headline(data, entry))];
  if (!difference) {
    return [...head, make('p', {}, finding.no_difference)];
  }
  const first = difference.choices.filter((choice) => choice.first);
  const listed = first.length > 0 ? first : difference.choices;
  const passes = difference.clean ? 'passes' : 'does not show this (but something else)';
  return [...head,
    make('p', {}, 'Interleaving ' + difference.failing + ' fails. The nearest one that ' + passes + ' is interleaving ' +
      difference.passing + ': ' + (difference.differing === 0 ? 'all operations that choose came to the same.' :
        counted(difference.differing, 'outcome') + ' of operations that choose ' + (difference.differing === 1 ? 'is' : 'are') + ' different.')),
    difference.same_buffering ? null : make('p', {}, make('span', {class: 'badge maybe'}, 'buffering'),
      'The two have different kinds of buffering, that is, other sends wait for their receives.'),
    listed.length === 0 ? null : make('h2', {}, first.length === 0 ? 'What came out differently' : first.length === 1
      ? 'The choice that makes the difference' : 'The choices that make the difference'),
    listed.slice(0, MOST_CHOICES).map((choice) => choiceCard(data, finding, choice)),
    first.length === 0 && listed.length + difference.choices_omitted > MOST_CHOICES ? make('p', {class: 'faint'}, 'and ' +
      (listed.length + difference.choices_omitted - MOST_CHOICES) + ' more') : null,
    rankTables(data, finding)];
}
