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

/** What a rank did, whoever its partners were, but for its part in choices: from whom messages were taken, and from whom
 *  they could have been instead, has different lines. */
function rankSignature(situation, operations, parts) {
  const steps = operations.map((operation) => operation.call + '@' + placeText(operation.where));
  return JSON.stringify([steps, situation ? [situation.call, situation.last_call, placeText(situation.where)] : null, parts]);
}

/** Of each rank, of which choices it sent the message that was taken, or one that could have been. */
function partsInChoices(finding) {
  const parts = new Map();
  const add = (rank, part) => parts.set(rank, [...(parts.get(rank) || []), part]);
  finding.epochs.forEach((epoch, i) => {
    const others = [...epoch.alternatives, ...(epoch.other_polls || []).flatMap((each) => each.alternatives)].map((each) => each.source);
    const taken = epoch.matched ? epoch.matched.source : null;
    for (const source of new Set(others)) {
      add(source, i + (source === taken ? ' both' : ' other'));
    }
    if (others.length > 0 && taken !== null && !others.includes(taken)) {
      add(taken, i + ' taken');
    }
  });
  return parts;
}

/** The lines of the drawing, each with its ranks. `unfolded`: signatures whose ranks have lines of their own. */
function lanesOf(data, finding, operations, unfolded) {
  const byRank = new Map();
  for (const operation of operations) {
    if (!byRank.has(operation.rank)) {
      byRank.set(operation.rank, []);
    }
    byRank.get(operation.rank).push(operation);
  }
  const ranks = Array.from({length: data.processes}, (_, rank) => rank);
  if (data.processes <= MOST_LANES) {
    return ranks.map((rank) => ({ranks: [rank], signature: null}));
  }
  const situated = new Map(finding.situations.map((each) => [each.rank, each]));
  const parts = partsInChoices(finding);
  const lanes = new Map();
  for (const rank of ranks) {
    const known = byRank.has(rank) || situated.has(rank) || parts.has(rank);
    const signature = known ? rankSignature(situated.get(rank), byRank.get(rank) || [], parts.get(rank) || []) : '';
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
    this.operations = operationsOf(finding);
    this.allCalls = Boolean(finding.calls);
    this.step = this.operations.length;  // so many are shown
    this.chosen = null;
    this.depth = this.operations.reduce((deepest, each) => Math.max(deepest, each.depth), 0);
    this.byDepth = new Map();
    this.arriving = new Map();  // operation -> receives and probes whose message is there after it
    this.meetings = new Map();  // number -> operations
    const add = (map, key, i) => map.set(key, [...(map.get(key) || []), i]);
    this.operations.forEach((each, i) => {
      add(this.byDepth, each.depth, i);
      if (each.match !== undefined && each.match !== null && each.kind !== 'send') {
        add(this.arriving, each.arrives === null ? i : each.arrives, i);
      }
      if (each.meeting > 0) {
        add(this.meetings, each.meeting, i);
      }
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
      'To the right is later: an operation stands right of all that happened before it. ' + (this.allCalls
        ? 'Triangle: a send; round: a receive or probe; square: a call that waits for or tests requests, where the arrow of a ' +
          'message ends that comes with them; grey bar: a collective, with its ranks. Large marks choose: '
        : 'Round: a receive or probe that chose a message; square: a call that chose among requests. ') +
      'Bold blue: forced by dampi. Amber, dashed: the message that it could have taken instead. ' + (this.allCalls
        ? 'A dashed mark came to nothing, such as a poll that answered false (of the same ones the last is drawn). '
        : 'Grey bar: one or more collectives of all ranks; how far a rank without a later mark had come is not known. A message ' +
          'begins after the last operation of its sender that the receiver knew of. ') +
      'On the right: where the ranks stand at the end; red cross: what the finding is about, and red bar: ranks that stand in ' +
      'the same collective; red dotted: a message that nobody received.' + (this.allCalls ? '' :
        ' Shown are the operations that choose; the other calls of this run are not known.' + (this.finding.epochs_omitted > 0 ? ' ' +
          this.finding.epochs_omitted + ' further operations are not kept.' : '')));
  }

  layOut() {
    this.lanes = lanesOf(this.data, this.finding, this.operations, this.unfolded);
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
    this.bars = this.allCalls ? this.barsOfMeetings() : this.barsOfZones();
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
        const lane = this.laneOf.get(this.operations[i].rank);
        const fresh = !taken.has(depth * 65536 + lane);
        taken.add(depth * 65536 + lane);
        lines.push(this.drawMessages(i, lane));
        if (fresh) {
          marks.push(this.drawMark(i, lane));
        }
      }
    }
    parts.push(...lines, ...marks);
    this.picture.replaceChildren(arrowHeads(), ...parts);
    this.drawEnds();
  }

  isLater(i) {
    return this.operations[i][this.order] >= this.step;
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

  /** Bars through the lines whose ranks came to a collective, as far as they are in sight. */
  drawCollectives() {
    const [from, to] = this.drawn;
    return this.bars.filter((bar) => bar.some(([, depth]) => depth >= from && depth <= to)).map((bar) => draw('path', {class: 'collective',
      d: 'M' + bar.map(([lane, depth]) => this.x(depth) + ' ' + (this.y(lane) - LANE / 3) + 'V' + (this.y(lane) + LANE / 3)).join('L')}));
  }

  /** A bar is a list of lines with depths. */
  barsOfMeetings() {
    return [...this.meetings.values()].map((members) => members.map((i) => [this.laneOf.get(this.operations[i].rank),
      this.operations[i].depth]).sort((one, other) => one[0] - other[0]));
  }

  /** Where only choices are known: between which of them each line's ranks came to collectives of all ranks. */
  barsOfZones() {
    const zones = [...new Set(this.operations.map((each) => each.zone))].sort((a, b) => a - b);
    return zones.filter((each) => each > 0).map((zone) => {
      const sides = this.lanes.map(() => [0, this.depth + 1]);
      for (const each of this.operations) {
        const side = sides[this.laneOf.get(each.rank)];
        if (each.zone < zone) {
          side[0] = Math.max(side[0], each.depth);
        } else {
          side[1] = Math.min(side[1], each.depth);
        }
      }
      const wanted = Math.max(...sides.map(([before]) => before)) + 0.5;
      return sides.map(([, after], lane) => [lane, Math.min(wanted, after - 0.5)]);
    });
  }

  /** Of messages that are there after this operation: where they come from, and what could have come instead. */
  drawMessages(i, lane) {
    const operation = this.operations[i];
    const x = this.x(operation.depth);
    const group = draw('g', {class: this.isLater(i) ? 'later' : null});
    const alternative = (each, end, receive) => {
      const other = this.laneOf.get(each.source);
      const send = receive ? this.sendOf(receive, each) : undefined;
      if (other !== undefined && send) {
        group.append(this.arrow('alternative', this.x(send.depth), other, this.x(end.depth), lane, 0.5));
      } else if (other !== undefined) {
        const start = this.x(end.depth) - this.column * 0.45;
        group.append(this.arrow('alternative', start, other, this.x(end.depth), lane, 0.3),
          draw('circle', {class: 'sent', cx: start, cy: this.y(other), r: 3}));
      }
    };
    const alternatives = (epoch, receive) => {
      const drawn = new Set();
      for (const each of epoch.alternatives) {
        const other = this.laneOf.get(each.source);
        if (!drawn.has(other)) {
          drawn.add(other);
          alternative(each, operation, receive);
        }
      }
      for (const poll of receive ? epoch.other_polls || [] : []) {
        const asked = this.falsePollBefore(receive, poll);
        poll.alternatives.forEach((each) => alternative(each, asked || operation, asked || receive));
      }
    };
    if (!this.allCalls) {
      const epoch = this.finding.epochs[operation.epoch];
      const sender = epoch.matched ? this.laneOf.get(epoch.matched.source) : undefined;
      if (sender !== undefined) {
        const start = Math.max(this.x(operation.sentAfter) + this.column * 0.5, x - this.column * 2.5, 6);
        group.append(this.arrow(epoch.forced ? 'match forced' : 'match', start, sender, x, lane, 0.7),
          draw('circle', {class: 'sent', cx: start, cy: this.y(sender), r: 3}));
      }
      alternatives(epoch);
      return group;
    }
    for (const each of this.arriving.get(i) || []) {
      const receive = this.operations[each];
      const send = this.operations[receive.match];
      const epoch = receive.epoch === null ? null : this.finding.epochs[receive.epoch];
      group.append(this.arrow(epoch && epoch.forced ? 'match forced' : 'match', this.x(send.depth), this.laneOf.get(send.rank), x, lane, 0.5));
      if (epoch) {
        alternatives(epoch, receive);
      }
    }
    return group;
  }

  /** The call of a stretch of polls that answered false before this one, of which the poll of the finding's tells. */
  falsePollBefore(answered, poll) {
    for (let i = this.operations.indexOf(answered) - 1; i >= 0; --i) {
      const each = this.operations[i];
      if (each.rank !== answered.rank || !answeredFalse(each)) {
        return null;
      }
      if (each.kind === 'probe' && each.call === poll.call && poll.alternatives.every((other) => each.tag < 0 || each.tag === other.tag)) {
        return each;
      }
    }
    return null;
  }

  /** The send of a message that the receive could have taken: the first that was not taken before. */
  sendOf(receive, alternative) {
    return this.operations.find((each) => each.kind === 'send' && each.rank === alternative.source && each.tag === alternative.tag &&
      each.communicator === receive.communicator && (each.match === null ? each.peer === receive.rank
        : this.operations[each.match].rank === receive.rank && this.operations[each.match].issue > receive.issue));
  }

  /** The shape of a mark: what kind of operation it is, and whether it chooses. */
  shape(operation, epoch, x, y, attributes) {
    const size = epoch || !this.allCalls ? 9 : 5.5;
    const round = operation.kind ? operation.kind === 'receive' || operation.kind === 'probe'
      : epoch.matched || epoch.kind.includes('receive') || epoch.kind.includes('probe');
    if (round) {
      return draw('circle', {...attributes, cx: x, cy: y, r: size});
    }
    if (operation.kind === 'send') {
      return draw('path', {...attributes, d: 'M' + (x - size) + ' ' + (y - size) + 'L' + (x + size) + ' ' + y + 'L' + (x - size) + ' ' + (y + size) + 'z'});
    }
    const width = operation.kind === 'collective' ? size : size * 2 - 2;
    return draw('rect', {...attributes, x: x - width / 2, y: y - size + 1, width, height: size * 2 - 2});
  }

  drawMark(i, lane) {
    const operation = this.operations[i];
    const epoch = operation.epoch === null ? null : this.finding.epochs[operation.epoch];
    const x = this.x(operation.depth);
    const choice = !epoch ? '' : epoch.forced ? ' forced' : isChoice(epoch) ? ' choice' : '';
    const attributes = {class: 'mark' + choice + (operation.done && !(this.allCalls && answeredFalse(operation)) ? '' : ' open') + (this.chosen === i ? ' chosen' : ''),
      'data-operation': i, 'data-epoch': epoch ? operation.epoch : null};
    const label = this.column < LABEL_COLUMN ? '' : shortened(operation.call.replace(/^MPI_/, ''), 9);
    const outcome = epoch ? epochOutcome(epoch, this.messages(operation)) : [callArguments(this.data, operation), callOutcome(this.operations, operation)].filter((each) => each).join(': ');
    return draw('g', {class: this.isLater(i) ? 'later' : null, onclick: () => this.choose(i)},
      draw('title', {}, 'rank ' + operation.rank + ': ' + callAt(operation.call, operation.where) + (outcome ? ': ' + outcome : '')),
      this.shape(operation, epoch, x, this.y(lane), attributes), draw('text', {class: 'faint', x: x + 12, y: this.y(lane) - 6}, label));
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
    this.chosen = i;
    const operation = this.operations[i];
    this.detail.replaceChildren(...(operation.epoch === null ? this.callDetail(operation) : this.epochDetail(this.finding.epochs[operation.epoch], operation)),
      excerpt(this.data, operation.where) || '');
    this.redraw(true);
  }

  /** Those that are there for the requests of an operation, as far as they are known. */
  messages(operation) {
    return this.allCalls && operation.kind === 'completion' ? requestMessages(this.operations, operation) : [];
  }

  epochDetail(epoch, operation) {
    const name = communicatorName(this.data, epoch.communicator);
    const messages = this.messages(operation);
    const alternatives = epochAlternatives(epoch, messages);
    const requests = this.allCalls && operation.kind === 'completion' ? this.requestList(operation) : '';
    return [
      make('h3', {}, 'Rank ' + epoch.rank + ': ' + (epoch.call || epoch.kind)),
      make('p', {class: 'faint'}, 'operation ' + epoch.rank + '#' + epoch.index + (placeText(epoch.where) ? ', ' + placeText(epoch.where) : '')),
      make('p', {}, 'It ' + epochOutcome(epoch, messages) + (epoch.forced ? ', forced by dampi' : '') + '.'),
      alternatives ? make('p', {}, make('span', {class: 'badge maybe'}, 'a choice'), 'It ' + alternatives + '.') : '',
      requests ? make('p', {}, requests) : '',
      make('p', {class: 'faint'}, (epoch.kind.startsWith('wait') || epoch.kind.startsWith('test') ? '' :
        'arguments: tag ' + (epoch.tag < 0 ? 'any' : epoch.tag) + (name ? ', ' + name : ''))),
      (epoch.stack.length > 1 && stackList(this.data, epoch.stack)) || ''];
  }

  /** What the requests of a call are of, by their places. */
  requestList(call) {
    const known = call.requests.map((each, place) => [place, each]).filter(([, each]) => each !== null);
    return known.length === 0 ? '' : 'Its requests: ' + known.slice(0, 12).map(([place, each]) =>
      place + ', ' + callAt(this.operations[each].call, this.operations[each].where)).join('; ') +
      (known.length > 12 ? ' and ' + (known.length - 12) + ' more' : '') + '.';
  }

  callDetail(call) {
    const asked = callArguments(this.data, call);
    const outcome = callOutcome(this.operations, call);
    const partner = call.match === null ? null : this.operations[call.match];
    return [
      make('h3', {}, 'Rank ' + call.rank + ': ' + call.call),
      make('p', {class: 'faint'}, placeText(call.where)),
      asked ? make('p', {}, 'arguments: ' + asked) : '',
      outcome ? make('p', {}, outcome[0].toUpperCase() + outcome.slice(1) + (partner ? ', with ' + callAt(partner.call, partner.where) : '') + '.') : '',
      call.requests.length > 0 ? make('p', {}, this.requestList(call)) : '',
      call.kind === 'collective' ? make('p', {}, 'In it: ' + numbered(this.meetings.get(call.meeting).map((each) => this.operations[each].rank).sort((a, b) => a - b), 'rank') + '.') : ''];
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
    const first = [(each) => decisive && each.rank === decisive.failing.rank && each.index === decisive.failing.index,
      (each) => each.forced, isChoice].map((wanted) => this.operations.findIndex((each) => each.epoch !== null &&
        wanted(this.finding.epochs[each.epoch]))).find((found) => found >= 0);
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
    const x = this.x(this.operations[i].depth);
    if (x < this.scroll.scrollLeft + 40 || x > this.scroll.scrollLeft + this.scroll.clientWidth - 120) {
      this.scroll.scrollLeft = Math.max(0, x - this.scroll.clientWidth / 2);
    }
  }

  stepTo(step) {
    const count = this.operations.length;
    this.step = Math.max(0, Math.min(count, step));
    const last = this.operations.findIndex((each) => each[this.order] === this.step - 1);
    this.showControls();
    if (last >= 0) {
      this.bring(last);
      this.choose(last);
    } else {
      this.redraw(true);
    }
  }

  showControls() {
    const count = this.operations.length;
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
