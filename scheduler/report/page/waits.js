// The fifth view: who waits for whom, with the core of a deadlock.

const MOST_LISTED = 40;

/** Ranks that need the same of the same ranks are one node of the drawing; those of the core stay alone. */
function waitGroups(graph) {
  const groups = new Map();
  const few = graph.nodes.length <= 24;
  for (const node of graph.nodes) {
    const key = few || node.in_core ? 'rank ' + node.rank : JSON.stringify([node.any, node.edges.map((edge) => [edge.to, edge.reason])]);
    if (!groups.has(key)) {
      groups.set(key, {ranks: [], node});
    }
    groups.get(key).ranks.push(node.rank);
  }
  const known = new Set(graph.nodes.map((node) => node.rank));
  const ended = new Set();
  for (const node of graph.nodes) {
    node.edges.forEach((edge) => known.has(edge.to) || ended.add(edge.to));
  }
  return [...groups.values(), ...[...ended].sort((a, b) => a - b).slice(0, 24).map((rank) => ({ranks: [rank], node: null}))];
}

function waitDrawing(data, finding, detail) {
  const graph = finding.wait_for;
  const groups = waitGroups(graph);
  const core = groups.filter((group) => group.node && group.node.in_core);
  core.sort((a, b) => graph.core.indexOf(a.ranks[0]) - graph.core.indexOf(b.ranks[0]));
  const others = groups.filter((group) => !core.includes(group));
  const inner = core.length < 2 ? 0 : Math.max(100, core.length * 17);
  const outer = core.length === 2 && others.length <= 2 ? inner : inner + 110 + Math.max(0, others.length - 14) * 9;
  const around = (all, radius) => all.forEach((group, i) => {
    // Two stand side by side; the first of more on top; those around them between them.
    const angle = (all.length === 2 ? Math.PI : -Math.PI / 2) + 2 * Math.PI * i / all.length + (all === others ? 0.3 : 0);
    group.x = radius * 1.3 * Math.cos(angle);
    group.y = radius * Math.sin(angle);
  });
  around(core, inner);
  around(others, outer);
  const where = new Map();
  groups.forEach((group) => group.ranks.forEach((rank) => where.set(rank, group)));
  const calls = new Map(finding.situations.map((situation) => [situation.rank, situation]));
  const arrows = [];
  const boxes = [];
  for (const group of groups) {
    const drawn = new Set();
    for (const edge of group.node ? group.node.edges : []) {
      const to = where.get(edge.to);
      if (!to || to === group || drawn.has(to)) {
        continue;
      }
      drawn.add(to);
      const length = Math.hypot(to.x - group.x, to.y - group.y) || 1;
      const [dx, dy] = [(to.x - group.x) / length, (to.y - group.y) / length];
      const cut = (Math.abs(dx) * 26 > Math.abs(dy) * 62 ? 68 / Math.abs(dx) : 26 / Math.abs(dy));
      const alternatives = group.node.any || group.node.edges.some((other) => other !== edge && other.wait === edge.wait);
      const bad = group.node.in_core && to.node && to.node.in_core;
      const [x1, y1] = [group.x - dy * 6, group.y + dx * 6];
      const [x2, y2] = [to.x - dx * Math.min(cut, length / 2) - dy * 6, to.y - dy * Math.min(cut, length / 2) + dx * 6];
      const sort = (alternatives ? ' any' : '') + (bad ? ' bad' : '');
      arrows.push(draw('g', {}, draw('title', {}, edge.reason),
        draw('path', {class: 'wait' + sort, 'marker-end': 'url(#head-' + (bad ? 'bad' : 'wait') + ')',
          d: 'M' + x1 + ' ' + y1 + 'L' + x2 + ' ' + y2})));
    }
    const situation = calls.get(group.ranks[0]);
    const choose = () => detail.replaceChildren(...waitDetail(data, finding, group, situation));
    boxes.push(draw('g', {onclick: choose, 'data-wait': group.ranks[0]},
      draw('rect', {class: 'mark' + (group.node && group.node.in_core ? ' bad' : group.node ? '' : ' done'), x: group.x - 62, y: group.y - 21,
        width: 124, height: 42, rx: 6}),
      draw('text', {x: group.x, y: group.y - 4, 'text-anchor': 'middle'}, shortened(numbered(group.ranks, 'rank'), 18)),
      draw('text', {class: 'faint', x: group.x, y: group.y + 12, 'text-anchor': 'middle'},
        group.node ? shortened(situation ? situation.call || 'outside MPI' : '', 19) : 'has ended')));
  }
  const [xs, ys] = [groups.map((group) => group.x), groups.map((group) => group.y)];
  const [left, top] = [Math.min(...xs) - 75, Math.min(...ys) - 35];
  const [width, height] = [Math.max(...xs) + 75 - left, Math.max(...ys) + 35 - top];
  return draw('svg', {width, height, viewBox: [left, top, width, height].join(' '), role: 'img', 'aria-label': 'wait-for graph'},
    arrowHeads(), arrows, boxes);
}

function needText(edge) {
  return 'rank ' + edge.to + ' would have to ' + edge.reason;
}

function waitDetail(data, finding, group, situation) {
  const node = group.node;
  if (!node) {
    return [make('h3', {}, numbered(group.ranks, 'rank')), make('p', {}, 'It has ended, and can do nothing for the others any more.')];
  }
  const edges = node.edges.slice(0, MOST_LISTED).map((edge) => make('li', {}, needText(edge)));
  return [make('h3', {}, numbered(group.ranks, 'rank') + (situation ? ': ' + (situation.call || 'outside MPI') : '')),
    situation ? make('p', {class: 'faint'}, placeText(situation.where) + (situation.arguments ? '; ' + situation.arguments : '')) : '',
    make('p', {}, node.any ? 'To go on, one of these would be enough:' : 'To go on:'), make('ul', {}, edges),
    node.edges_omitted > 0 ? make('p', {class: 'faint'}, 'and ' + node.edges_omitted + ' more') : '',
    (situation && excerpt(data, situation.where)) || ''];
}

function coreLine(node, situation) {
  return 'Rank ' + node.rank + (situation ? ', ' + (situation.call ? callAt(situation.call, situation.where) : 'outside MPI') : '') + ': ' +
    node.edges.slice(0, 3).map(needText).join(node.any ? ', or ' : ', and ') + (node.edges.length > 3 ? ', \u2026' : '');
}

function coreText(graph) {
  if (graph.shape === 'cycle') {
    return 'The core is a cycle: each rank in it needs the next one, and the last the first: ' +
      graph.core.concat(graph.core.slice(0, 1)).join(' \u2192 ') + '.';
  }
  return graph.shape === 'knot' ? 'The core is a knot: every way out of ' + numbered(graph.core, 'rank') + ' leads back to them.'
    : 'There is no cycle: ' + numbered(graph.core, 'rank') + ' ' + (graph.core.length === 1 ? 'waits' : 'wait') +
      ' for something that nobody can do any more.';
}

function waitsView(page) {
  const entry = findingOf(page.data, page.entry).wait_for ? page.entry
    : page.data.worst_first.find((each) => findingOf(page.data, each).wait_for);
  page.entry = entry;
  const finding = findingOf(page.data, entry);
  const graph = finding.wait_for;
  const situations = new Map(finding.situations.map((each) => [each.rank, each]));
  const core = graph.nodes.filter((node) => node.in_core);
  const detail = make('div', {class: 'detail', 'aria-live': 'polite'},
    core.length > 0 ? waitDetail(page.data, finding, {ranks: [core[0].rank], node: core[0]}, situations.get(core[0].rank)) : null);
  return [page.chooser((each) => findingOf(page.data, each).wait_for), make('h2', {}, 'Who waits for whom: ' + headline(page.data, entry)),
    make('p', {}, coreText(graph)),
    make('p', {class: 'legend'}, 'An arrow leads from a rank to one that would have to do something for it. Red: the core. ' +
      'Dashed: one of several would be enough.'),
    make('div', {class: 'wide'}, waitDrawing(page.data, finding, detail)), detail,
    make('h3', {}, 'The core'),
    make('ul', {}, core.slice(0, MOST_LISTED).map((node) => make('li', {}, coreLine(node, situations.get(node.rank))))),
    core.length > MOST_LISTED ? make('p', {class: 'faint'}, 'and ' + (core.length - MOST_LISTED) + ' more') : null,
    unmatchedList(finding)];
}
