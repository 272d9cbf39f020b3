// The second view: an interleaving as a space-time diagram. A line for each rank, time to the right as depth in the order
// of causes. Only what is in sight is drawn, so that runs with very many operations can be looked at, too.

const WIDEST_COLUMN = 84;
const NARROWEST_COLUMN = 22;
const LABEL_COLUMN = 64;  // from this width on there is room for the names of calls
const LANE = 46;
const LEFT = 20;
const MOST_LANES = 16;  // with more ranks, those that did the same share a line
const NAMES = 150;
const ENDS = 180;
const COLLECTIVE = new RegExp('^MPI_(I?(barrier|bcast|(all)?gatherv?|scatterv?|alltoall[vw]?|(all|ex)?reduce\\w*|(ex)?scan)' +
  '|(comm|win|file)_(i?dup|split|create|open|close|free|fence|set_view)\\w*|finalize)(_init)?$', 'i');

/** What a rank did, whoever its partners were. */
function rankSignature(finding, rank, epochs) {
  const situation = finding.situations.find((each) => each.rank === rank);
  const steps = epochs.map((epoch) => epoch.call + '@' + placeText(epoch.where));
  return JSON.stringify([steps, situation ? [situation.call, situation.last_call, placeText(situation.where)] : null]);
}

/** The lines of the drawing, each with its ranks. `unfolded`: signatures whose ranks have lines of their own. */
function lanesOf(data, finding, unfolded) {
  const byRank = new Map();
  for (const epoch of finding.epochs) {
    if (!byRank.has(epoch.rank)) {
      byRank.set(epoch.rank, []);
    }
    byRank.get(epoch.rank).push(epoch);
  }
  const ranks = Array.from({length: data.processes}, (_, rank) => rank);
  if (data.processes <= MOST_LANES) {
    return ranks.map((rank) => ({ranks: [rank], signature: null}));
  }
  const situated = new Map(finding.situations.map((each) => [each.rank, each]));
  const lanes = new Map();
  for (const rank of ranks) {
    const signature = byRank.has(rank) || situated.has(rank) ? rankSignature(finding, rank, byRank.get(rank) || []) : '';
    const key = unfolded.has(signature) ? 'rank ' + rank : signature;
    if (!lanes.has(key)) {
      lanes.set(key, {ranks: [], signature});
    }
    lanes.get(key).ranks.push(rank);
  }
  return [...lanes.values()];
}

function arrowHeads() {
  return draw('defs', {}, ['match', 'forced', 'alternative', 'unmatched', 'wait', 'bad'].map((name) => draw('marker',
    {id: 'head-' + name, class: 'head-' + name, viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 10, markerHeight: 10,
      markerUnits: 'userSpaceOnUse', orient: 'auto'}, draw('path', {d: 'M0 1L10 5L0 9z'}))));
}

class Diagram {
  constructor(page, finding) {
    this.page = page;
    this.data = page.data;
    this.finding = finding;
    this.unfolded = new Set();
    this.order = 'issue';
    this.step = finding.epochs.length;  // so many are shown
    this.chosen = null;
    this.depth = finding.places.reduce((deepest, place) => Math.max(deepest, place[0]), 0);
    this.byDepth = new Map();
    finding.places.forEach((place, i) => {
      if (!this.byDepth.has(place[0])) {
        this.byDepth.set(place[0], []);
      }
      this.byDepth.get(place[0]).push(i);
    });
    this.stuck = new Set(finding.wait_for ? finding.wait_for.nodes.map((node) => node.rank) : finding.ranks);
    this.detail = make('div', {class: 'detail', 'aria-live': 'polite'});
    this.names = draw('svg', {width: NAMES});
    this.picture = draw('svg', {role: 'img', 'aria-label': 'space-time diagram of the interleaving'});
    this.ends = draw('svg', {width: ENDS, role: 'img', 'aria-label': 'where the ranks stand at the end'});
    this.scroll = make('div', {class: 'scroll', onscroll: () => this.redrawSoon()}, this.picture);
    this.controls = make('div', {class: 'row'});
    this.layOut();
    this.showControls();
    this.chooseFirst();
  }

  element() {
    return [this.controls, make('div', {class: 'lanes'}, make('div', {class: 'names'}, this.names), this.scroll,
      this.finding.situations.length > 0 ? make('div', {class: 'ends'}, this.ends) : null),
      this.detail, this.legend()];
  }

  legend() {
    return make('p', {class: 'legend'},
      'To the right is later: an operation stands right of all that happened before it. Round: a receive or probe that ' +
      'chose a message; square: a call that chose among requests. Bold blue: forced by dampi. Amber, dashed: the ' +
      'message that it could have taken instead. Grey bar: one or more collectives of all ranks; how far a rank without ' +
      'a later mark had come is not known. On the right: where the ranks stand at the end; red cross: what the finding is about, ' +
      'and red bar: ranks that stand in the same collective; red dotted: a message that nobody received. A message ' +
      'begins after the last operation of its sender that the receiver knew of. Shown are the operations that choose; ' +
      'other calls leave no choice and are not recorded.' + (this.finding.epochs_omitted > 0 ? ' ' +
        this.finding.epochs_omitted + ' further operations are not kept.' : ''));
  }

  layOut() {
    this.lanes = lanesOf(this.data, this.finding, this.unfolded);
    this.laneOf = new Map();
    this.lanes.forEach((lane, i) => lane.ranks.forEach((rank) => this.laneOf.set(rank, i)));
    const height = this.lanes.length * LANE + 10;
    const room = (document.getElementById('view').clientWidth || 1200) - NAMES - LEFT - (this.finding.situations.length > 0 ? ENDS : 0) - 6;
    this.column = Math.min(WIDEST_COLUMN, Math.max(NARROWEST_COLUMN, room / (this.depth + 0.6)));
    this.width = LEFT + (this.depth + 0.6) * this.column;
    this.picture.setAttribute('width', this.width);
    this.picture.setAttribute('height', height);
    this.names.setAttribute('height', height);
    this.ends.setAttribute('height', height);
    this.names.replaceChildren(...this.lanes.map((lane, i) => this.laneName(lane, i)));
    this.zones = null;
    this.redraw(true);
  }

  laneName(lane, i) {
    const folds = lane.signature !== null && (lane.ranks.length > 1 || this.unfolded.has(lane.signature));
    const toggle = () => {
      if (!this.unfolded.delete(lane.signature)) {
        this.unfolded.add(lane.signature);
      }
      this.layOut();
    };
    return draw('g', folds ? {class: 'fold', onclick: toggle} : {},
      draw('title', {}, lane.ranks.length > 1 ? counted(lane.ranks.length, 'rank') + ' that did the same: click to unfold'
        : folds ? 'click to fold the ranks that did the same' : 'rank ' + lane.ranks[0]),
      draw('text', {x: 8, y: this.y(i) + 4}, shortened(numbered(lane.ranks, 'rank'), 14) +
        (lane.ranks.length > 1 ? ' (' + lane.ranks.length + ')' : '')));
  }

  x(depth) {
    return LEFT + (depth - 0.35) * this.column;
  }

  y(lane) {
    return lane * LANE + LANE / 2 + 5;
  }

  redrawSoon() {
    if (!this.pending) {
      this.pending = requestAnimationFrame(() => {
        this.pending = null;
        this.redraw();
      });
    }
  }

  /** Draws what is in sight and a little more. */
  redraw(anew) {
    const sight = this.scroll.clientWidth || 1200;
    const from = Math.floor(this.scroll.scrollLeft / this.column) - 4;
    const to = Math.ceil((this.scroll.scrollLeft + sight) / this.column) + 4;
    if (!anew && this.drawn && this.drawn[0] === from && this.drawn[1] === to) {
      return;
    }
    this.drawn = [from, to];
    const parts = this.lanes.map((lane, i) => draw('line', {class: 'lane', x1: 0, x2: this.width, y1: this.y(i), y2: this.y(i)}));
    const lines = this.drawCollectives();
    const marks = [];
    const taken = new Set();
    for (let depth = Math.max(1, from); depth <= Math.min(this.depth, to); ++depth) {
      for (const i of this.byDepth.get(depth) || []) {
        const lane = this.laneOf.get(this.finding.epochs[i].rank);
        const fresh = !taken.has(depth * 65536 + lane);
        taken.add(depth * 65536 + lane);
        this.drawEpoch(i, depth, lane, fresh, lines, marks);
      }
    }
    parts.push(...lines, ...marks);
    this.picture.replaceChildren(arrowHeads(), ...parts);
    this.drawEnds();
  }

  isLater(i) {
    return this.finding.places[i][this.order === 'issue' ? 2 : 3] >= this.step;
  }

  /** From a line to a point just before a mark. */
  arrow(className, x1, lane1, x2, lane2, bend, attributes) {
    const [y1, y2] = [this.y(lane1), this.y(lane2)];
    const control = lane1 === lane2 ? [(x1 + x2) / 2, y1 - LANE * 0.9] : [x1 + (x2 - x1) * bend, (y1 + y2) / 2];
    const length = Math.hypot(x2 - control[0], y2 - control[1]) || 1;
    const short = 11 / length;
    const head = className.split(' ').pop();
    return draw('path', {class: className, 'marker-end': 'url(#head-' + head + ')', ...attributes,
      d: 'M' + x1 + ' ' + y1 + 'Q' + control.join(' ') + ' ' + (x2 - (x2 - control[0]) * short) + ' ' + (y2 - (y2 - control[1]) * short)});
  }

  /** Between which operations of each line the ranks came to collectives of all ranks: a bar through all lines. */
  drawCollectives() {
    if (!this.zones) {
      this.zones = new Map();  // zone -> lane -> [deepest before it, first in it or after]
      const zones = [...new Set(this.finding.places.map((place) => place[4]))].sort((a, b) => a - b);
      for (const zone of zones.filter((each) => each > 0)) {
        const sides = this.lanes.map(() => [0, this.depth + 1]);
        this.finding.places.forEach((place, i) => {
          const side = sides[this.laneOf.get(this.finding.epochs[i].rank)];
          if (place[4] < zone) {
            side[0] = Math.max(side[0], place[0]);
          } else {
            side[1] = Math.min(side[1], place[0]);
          }
        });
        this.zones.set(zone, sides);
      }
    }
    const [from, to] = this.drawn;
    return [...this.zones.values()].map((sides) => {
      const wanted = Math.max(...sides.map(([before]) => before)) + 0.5;
      const depths = sides.map(([, after]) => Math.min(wanted, after - 0.5));
      return wanted < from || Math.min(...depths) > to ? null : draw('path', {class: 'collective',
        d: 'M' + depths.map((depth, i) => this.x(depth) + ' ' + (this.y(i) - LANE / 3) + 'V' + (this.y(i) + LANE / 3)).join('L')});
    }).filter((bar) => bar);
  }

  drawEpoch(i, depth, lane, fresh, lines, marks) {
    const epoch = this.finding.epochs[i];
    const later = this.isLater(i) ? ' later' : '';
    const x = this.x(depth);
    const group = draw('g', {class: later.trim() || null});
    const sender = epoch.matched ? this.laneOf.get(epoch.matched.source) : undefined;
    if (sender !== undefined) {
      const start = Math.max(this.x(this.finding.places[i][1]) + this.column * 0.5, x - this.column * 2.5, 6);
      group.append(this.arrow(epoch.forced ? 'match forced' : 'match', start, sender, x, lane, 0.7),
        draw('circle', {class: 'sent', cx: start, cy: this.y(sender), r: 3}));
    }
    const others = new Set(epoch.alternatives.map((each) => this.laneOf.get(each.source)));
    for (const other of others) {
      if (other !== undefined) {
        group.append(this.arrow('alternative', x - this.column * 0.45, other, x, lane, 0.3));
      }
    }
    lines.push(group);
    if (!fresh) {
      return;
    }
    const choice = epoch.forced ? ' forced' : epoch.alternatives.length + epoch.other_completions.length > 0 ? ' choice' : '';
    const attributes = {class: 'mark' + choice + (epoch.outcome ? '' : ' open') + (this.chosen === i ? ' chosen' : ''),
      'data-epoch': i};
    const y = this.y(lane);
    const shape = epoch.matched || epoch.kind.includes('receive') || epoch.kind.includes('probe')
      ? draw('circle', {...attributes, cx: x, cy: y, r: 9}) : draw('rect', {...attributes, x: x - 8, y: y - 8, width: 16, height: 16});
    const label = this.column < LABEL_COLUMN ? '' : shortened(epoch.call.replace(/^MPI_/, ''), 9);
    marks.push(draw('g', {class: later.trim() || null, onclick: () => this.choose(i)},
      draw('title', {}, 'rank ' + epoch.rank + ': ' + callAt(epoch.call, epoch.where) + ': ' + epochOutcome(epoch)),
      shape, draw('text', {class: 'faint', x: x + 12, y: y - 6}, label)));
  }

  /** Where the ranks stand at the end. */
  drawEnds() {
    const x = 58;
    const lines = this.lanes.map((lane, i) => draw('line', {class: 'lane', x1: 0, x2: ENDS, y1: this.y(i), y2: this.y(i)}));
    const marks = [];
    const seen = new Set();
    const together = new Map();  // collective and communicator -> lines
    for (const situation of this.finding.situations) {
      const lane = this.laneOf.get(situation.rank);
      if (lane === undefined || seen.has(lane)) {
        continue;
      }
      seen.add(lane);
      const bad = this.stuck.has(situation.rank);
      const y = this.y(lane);
      const text = situation.call ? situation.call.replace(/^MPI_/, '') : bad ? this.finding.kind : 'outside MPI';
      if (COLLECTIVE.test(situation.call)) {
        const key = situation.call + (/\bcomm [^,]*/.exec(situation.arguments) || '');
        together.set(key, [...(together.get(key) || []), lane]);
      }
      marks.push(draw('g', {onclick: () => this.chooseEnd(situation.rank)}, draw('title', {}, 'rank ' + situation.rank + ' at the end'),
        draw('rect', {class: 'mark ' + (bad ? 'bad' : 'done') + (this.chosen === 'end ' + situation.rank ? ' chosen' : ''),
          'data-end': situation.rank, x: x - 9, y: y - 9, width: 18, height: 18, rx: 3}),
        bad ? draw('path', {class: 'mark bad', d: 'M' + (x - 4) + ' ' + (y - 4) + 'l8 8m0 -8l-8 8'}) : null,
        draw('text', {class: bad ? 'bad' : 'faint', x: x + 14, y: y + 4}, shortened(text, 16))));
    }
    for (const lanes of together.values()) {
      if (lanes.length > 1) {
        lines.push(draw('path', {class: 'collective' + (this.finding.wait_for ? ' bad' : ''),
          d: 'M' + x + ' ' + this.y(Math.min(...lanes)) + 'V' + this.y(Math.max(...lanes))}));
      }
    }
    const sent = new Set();
    for (const each of this.finding.unmatched) {
      const from = this.laneOf.get(each.rank);
      const to = each.peer === null ? undefined : this.laneOf.get(each.peer);
      if (from !== undefined && to !== undefined && each.operation === 'send' && !sent.has(from + ' ' + to)) {
        sent.add(from + ' ' + to);
        lines.push(this.arrow('unmatched', 8, from, x, to, 0.4));
      }
    }
    this.ends.replaceChildren(arrowHeads(), ...lines, ...marks);
  }

  choose(i) {
    const epoch = this.finding.epochs[i];
    this.chosen = i;
    const name = communicatorName(this.data, epoch.communicator);
    const alternatives = epochAlternatives(epoch);
    this.detail.replaceChildren(
      make('h3', {}, 'Rank ' + epoch.rank + ': ' + (epoch.call || epoch.kind)),
      make('p', {class: 'faint'}, 'operation ' + epoch.rank + '#' + epoch.index + (placeText(epoch.where) ? ', ' + placeText(epoch.where) : '')),
      make('p', {}, 'It ' + epochOutcome(epoch) + (epoch.forced ? ', forced by dampi' : '') + '.'),
      alternatives ? make('p', {}, make('span', {class: 'badge maybe'}, 'a choice'), 'It ' + alternatives + '.') : '',
      make('p', {class: 'faint'}, (epoch.kind.startsWith('wait') || epoch.kind.startsWith('test') ? '' :
        'arguments: tag ' + (epoch.tag < 0 ? 'any' : epoch.tag) + (name ? ', ' + name : ''))),
      excerpt(this.data, epoch.where) || '');
    this.redraw(true);
  }

  chooseEnd(rank) {
    const situation = this.finding.situations.find((each) => each.rank === rank);
    this.chosen = 'end ' + rank;
    this.detail.replaceChildren(
      make('h3', {}, 'Rank ' + rank + ' at the end: ' + (situation.call || 'outside MPI')),
      make('p', {class: 'faint'}, placeText(situation.where) +
        (situation.call || !situation.last_call ? '' : '; its last call was ' + situation.last_call)),
      situation.arguments ? make('p', {}, 'arguments: ' + situation.arguments) : '',
      situation.detail ? make('p', {}, situation.detail) : '',
      excerpt(this.data, situation.where) || '', stackList(this.data, situation.stack) || '');
    this.redraw(true);
  }

  /** The choice that makes the difference, or one that was forced, or any. */
  chooseFirst() {
    const difference = this.finding.difference;
    const decisive = difference ? difference.choices.find((choice) => choice.first) : null;
    const epochs = this.finding.epochs;
    const first = [(each) => decisive && each.rank === decisive.failing.rank && each.index === decisive.failing.index,
      (each) => each.forced, isChoice].map((wanted) => epochs.findIndex(wanted)).find((found) => found >= 0);
    if (first !== undefined) {
      this.choose(first);
    } else if (this.finding.situations.length > 0) {
      this.chooseEnd(this.finding.situations[0].rank);
    } else {
      this.detail.replaceChildren(make('p', {class: 'faint'}, 'Click on a mark to see its call, arguments and line.'));
    }
  }

  /** Scrolls so that the operation is in sight. */
  bring(i) {
    const x = this.x(this.finding.places[i][0]);
    if (x < this.scroll.scrollLeft + 40 || x > this.scroll.scrollLeft + this.scroll.clientWidth - 120) {
      this.scroll.scrollLeft = Math.max(0, x - this.scroll.clientWidth / 2);
    }
  }

  stepTo(step) {
    const count = this.finding.epochs.length;
    this.step = Math.max(0, Math.min(count, step));
    const place = this.order === 'issue' ? 2 : 3;
    const last = this.finding.places.findIndex((each) => each[place] === this.step - 1);
    this.showControls();
    if (last >= 0) {
      this.bring(last);
      this.choose(last);
    } else {
      this.redraw(true);
    }
  }

  showControls() {
    const count = this.finding.epochs.length;
    if (count === 0) {
      this.controls.replaceChildren(make('p', {}, (this.finding.epochs_omitted > 0
        ? 'The operations of this run are not in the page, for there are too many findings. '
        : 'This run had no operation that chooses: it went as it had to. ') + 'What is drawn is where the ranks stood at the end.'));
      return;
    }
    const step = (text, to, label, disabled) =>
      make('button', {onclick: () => this.stepTo(to), 'aria-label': label, disabled}, text);
    const order = make('select', {'aria-label': 'order', onchange: () => {
      this.order = order.value;
      this.stepTo(this.step);
    }}, make('option', {value: 'issue', selected: this.order === 'issue'}, 'as they were issued'),
      make('option', {value: 'outcome', selected: this.order === 'outcome'}, 'as they were matched'));
    this.controls.replaceChildren('Step:',
      step('|\u25c0', 0, 'to the beginning', this.step === 0), step('\u25c0', this.step - 1, 'one back', this.step === 0),
      step('\u25b6', this.step + 1, 'one on', this.step === count), step('\u25b6|', count, 'to the end', this.step === count),
      make('span', {class: 'steps'}, this.step + ' of ' + counted(count, 'operation')), order);
  }
}

function interleavingView(page) {
  const entry = page.entry;
  const finding = findingOf(page.data, entry);
  const diagram = new Diagram(page, finding);
  requestAnimationFrame(() => {
    diagram.layOut();
    if (typeof diagram.chosen === 'number') {
      diagram.bring(diagram.chosen);
    }
  });
  page.diagram = diagram;
  return [page.chooser(), make('h2', {}, (finding.foreseen ? 'The interleaving from which it follows: ' : 'The interleaving that shows ') + headline(page.data, entry)),
    make('p', {}, finding.message), diagram.element()];
}
