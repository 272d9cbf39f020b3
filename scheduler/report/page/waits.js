// The fifth view: who waits for whom, with the core of a deadlock.

const MOST_LISTED = 40;
const [BOX_WIDTH, BOX_HEIGHT] = [124, 42];

/** Ranks that need the same of the same ranks are one node of the drawing; those of the core stay alone. */
function waitGroups(graph) {
  const groups = new Map();
  const few = graph.nodes.length <= 12;
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

/** The ranks that this group of ranks needs, as groups; each once. */
function needsOf(group, where) {
  const needs = new Map();
  for (const edge of group.node ? group.node.edges : []) {
    const to = where.get(edge.to);
    if (to && to !== group && !needs.has(to)) {
      needs.set(to, edge);
    }
  }
  return needs;
}

/** A cycle that nobody else waits for is a ring. Each arrow is a pair of points. */
function layRing(groups, core, arrows) {
  groups.sort((a, b) => core.indexOf(a.ranks[0]) - core.indexOf(b.ranks[0]));
  const radius = Math.max(100, groups.length * 17);
  groups.forEach((group, i) => {
    // Two stand side by side; the first of more on top.
    const angle = (groups.length === 2 ? Math.PI : -Math.PI / 2) + 2 * Math.PI * i / groups.length;
    group.x = radius * 1.3 * Math.cos(angle);
    group.y = radius * Math.sin(angle);
  });
  for (const arrow of arrows) {
    const {from, to} = arrow;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const cut = (Math.abs(dx) * 26 > Math.abs(dy) * 62 ? 68 / Math.abs(dx) : 26 / Math.abs(dy));
    arrow.points = [{x: from.x - dy * 6, y: from.y + dx * 6},
      {x: to.x - dx * Math.min(cut, length / 2) - dy * 6, y: to.y - dy * Math.min(cut, length / 2) + dx * 6}];
  }
}

/** Everything else in layers: who waits above those that it waits for, so far as there is no cycle. */
function layInLayers(groups, arrows) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({nodesep: 20, ranksep: 45});
  groups.forEach((group, i) => {
    group.name = String(i);
    graph.setNode(group.name, {width: BOX_WIDTH, height: BOX_HEIGHT});
  });
  arrows.forEach(({from, to}) => graph.setEdge(from.name, to.name, {}));
  dagre.layout(graph);
  for (const group of groups) {
    ({x: group.x, y: group.y} = graph.node(group.name));
  }
  for (const arrow of arrows) {
    arrow.points = graph.edge(arrow.from.name, arrow.to.name).points;
  }
}

function waitDrawing(data, finding, detail) {
  const graph = finding.wait_for;
  const groups = waitGroups(graph);
  const where = new Map();
  groups.forEach((group) => group.ranks.forEach((rank) => where.set(rank, group)));
  const arrows = [];
  for (const group of groups) {
    for (const [to, edge] of needsOf(group, where)) {
      const any = group.node.any || group.node.edges.some((other) => other !== edge && other.wait === edge.wait);
      arrows.push({from: group, to, edge, any, bad: Boolean(group.node.in_core && to.node && to.node.in_core)});
    }
  }
  if (graph.shape === 'cycle' && groups.every((group) => group.node && group.node.in_core)) {
    layRing(groups, graph.core, arrows);
  } else {
    layInLayers(groups, arrows);
  }
  const lines = arrows.map(({points, edge, any, bad}) => draw('g', {}, draw('title', {}, edge.reason),
    draw('path', {class: 'wait' + (any ? ' any' : '') + (bad ? ' bad' : ''), 'marker-end': 'url(#head-' + (bad ? 'bad' : 'wait') + ')',
      d: points.map((point, i) => (i === 0 ? 'M' : 'L') + point.x + ' ' + point.y).join('')})));
  const calls = new Map(finding.situations.map((situation) => [situation.rank, situation]));
  const boxes = groups.map((group) => {
    const situation = calls.get(group.ranks[0]);
    const choose = () => detail.replaceChildren(...waitDetail(data, finding, group, situation));
    return draw('g', {onclick: choose, 'data-wait': group.ranks[0]},
      draw('rect', {class: 'mark' + (group.node && group.node.in_core ? ' bad' : group.node ? '' : ' done'), x: group.x - BOX_WIDTH / 2,
        y: group.y - BOX_HEIGHT / 2, width: BOX_WIDTH, height: BOX_HEIGHT, rx: 6}),
      draw('text', {x: group.x, y: group.y - 4, 'text-anchor': 'middle'}, shortened(numbered(group.ranks, 'rank'), 18)),
      draw('text', {class: 'faint', x: group.x, y: group.y + 12, 'text-anchor': 'middle'},
        group.node || situation ? shortened(situation ? situation.call || 'outside MPI' : '', 19) : 'has ended'));
  });
  const points = arrows.flatMap((arrow) => arrow.points);
  const span = (coordinate, margin) => {
    const all = [...groups.flatMap((group) => [group[coordinate] - margin, group[coordinate] + margin]), ...points.map((point) => point[coordinate])];
    return [Math.min(...all), Math.max(...all)];
  };
  const [[left, right], [top, bottom]] = [span('x', 75), span('y', 35)];
  const [width, height] = [right - left, bottom - top];
  return draw('svg', {width, height, viewBox: [left, top, width, height].join(' '), role: 'img', 'aria-label': 'wait-for graph'},
    arrowHeads(), lines, boxes);
}

function needText(edge) {
  return 'rank ' + edge.to + ' would have to ' + edge.reason;
}

function waitDetail(data, finding, group, situation) {
  const node = group.node;
  if (!node) {
    return situation
      ? [make('h3', {}, numbered(group.ranks, 'rank') + ': ' + (situation.call || 'outside MPI')), make('p', {class: 'faint'}, placeText(situation.where)),
        make('p', {}, situation.detail), excerpt(data, situation.where) || '']
      : [make('h3', {}, numbered(group.ranks, 'rank')), make('p', {}, 'It has ended, and can do nothing for the others any more.')];
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

function coreText(graph, finding) {
  if (finding.waits_for_blamed) {
    return 'All wait, directly or not, for ' + numbered(finding.ranks, 'rank') + '.';
  }
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
    make('p', {}, coreText(graph, finding)),
    make('p', {class: 'legend'}, 'An arrow leads from a rank to one that would have to do something for it. Red: the core. ' +
      'Dashed: one of several would be enough.'),
    make('div', {class: 'wide'}, waitDrawing(page.data, finding, detail)), detail,
    make('h3', {}, 'The core'),
    make('ul', {}, core.slice(0, MOST_LISTED).map((node) => make('li', {}, coreLine(node, situations.get(node.rank))))),
    core.length > MOST_LISTED ? make('p', {class: 'faint'}, 'and ' + (core.length - MOST_LISTED) + ' more') : null,
    unmatchedList(finding)];
}
