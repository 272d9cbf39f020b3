// The calls of a run as the page has them (page_data.hpp), and the operations of a finding's run in one form, whether all
// its calls are known or only those that choose.

const CALL_KINDS = ['send', 'receive', 'probe', 'collective', 'completion', 'finalize', 'abort'];

/** The rows of a list of calls as objects; nothing where there is none. */
function callsOf(packed) {
  return packed ? packed.list.map(([rank, kind, call, where, peer, tag, communicator, match, epoch, done, depth, arrives, issue,
    outcome, meeting, requests, completed]) => ({rank, kind: CALL_KINDS[kind], call: packed.functions[call], where: packed.wheres[where],
    peer, tag, communicator: packed.communicators[communicator], match, epoch, done, depth, arrives, issue, outcome, meeting,
    requests, completed})) : null;
}

/** What the call asked for: "to rank 1, tag 7". */
function callArguments(data, call) {
  const name = communicatorName(data, call.communicator);
  const parts = [];
  if (call.kind === 'send' || call.kind === 'receive' || call.kind === 'probe') {
    parts.push((call.kind === 'send' ? 'to ' : 'from ') + (call.peer < 0 ? 'any rank' : 'rank ' + call.peer));
    parts.push(call.tag < 0 ? 'any tag' : 'tag ' + call.tag);
  }
  if (name && (parts.length > 0 || call.kind === 'collective')) {
    parts.push('on ' + name);
  }
  return parts.join(', ');
}

/** Whether it is a probe or a test that answered false. */
function answeredFalse(call) {
  return call.done && (call.kind === 'probe' ? call.match === null : call.kind === 'completion' && /^MPI_Test/.test(call.call) &&
    call.completed.length === 0 && call.requests.length > 0);
}

/** The message of a receive or probe. */
function messageOf(calls, call) {
  return messageText(calls[call.match].rank, calls[call.match].tag);
}

/** Of the requests of a call, by their places: the messages that are there, [request, source, tag]. */
function requestMessages(calls, call) {
  return call.requests.map((each, place) => [place, each === null ? null : calls[each]])
    .filter(([, begun]) => begun && begun.kind === 'receive' && begun.match !== null)
    .map(([place, begun]) => [place, calls[begun.match].rank, calls[begun.match].tag]);
}

/** What it came to, as far as that is more than its return. */
function callOutcome(calls, call) {
  if (answeredFalse(call)) {
    return call.kind === 'probe' ? 'no message yet' : 'nothing had completed yet';
  }
  if (call.kind === 'completion' && call.done) {
    const known = call.completed.filter((each) => each !== null).map((each) => calls[each]);
    return known.slice(0, 6).map((each) => (call.requests.length > 1 ? 'request ' + call.requests.indexOf(calls.indexOf(each)) + ', ' : '') +
      (each.kind === 'receive' && each.match !== null ? messageOf(calls, each) : each.call)).join('; ') +
      (known.length > 6 ? ' and ' + (known.length - 6) + ' more' : '');
  }
  if (call.match !== null) {
    return call.kind === 'send' ? 'rank ' + calls[call.match].rank + ' took the message'
      : call.tag < 0 ? messageOf(calls, call) : messageText(calls[call.match].rank);
  }
  return {send: 'nobody took the message', receive: 'no message', probe: 'no message'}[call.kind] || (call.done ? '' : 'it did not return');
}

/** The call and what became of it, in words. */
function callLine(data, calls, call) {
  const asked = callArguments(data, call);
  const outcome = callOutcome(calls, call);
  return [make('div', {}, call.call + (asked ? ' ' + asked : '') + (outcome ? ': ' + outcome : '')),
    make('div', {class: 'faint'}, placeText(call.where))];
}

/** The operations of a finding's run: all calls, or where these are not known those that choose. Each has its rank, where
 *  it stands (depth, issue, outcome), the place of its epoch or null, and either its call or what its place tells. */
function operationsOf(finding) {
  const calls = callsOf(finding.calls);
  if (calls) {
    return calls;
  }
  return finding.epochs.map((epoch, i) => {
    const [depth, sentAfter, issue, outcome, zone] = finding.places[i] || [1, 0, i, i, 0];
    return {rank: epoch.rank, kind: null, call: epoch.call, where: epoch.where, epoch: i, done: epoch.outcome, depth, sentAfter, issue,
      outcome, zone, meeting: 0};
  });
}
