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

/** What it came to, as far as that is more than its return. */
function callOutcome(calls, call) {
  if (call.kind === 'completion' && call.done) {
    const known = call.completed.filter((each) => each !== null).map((each) => calls[each]);
    return known.slice(0, 6).map((each) => each.kind === 'receive' && each.match !== null ? 'the message from rank ' + calls[each.match].rank
      : each.call).join(', ') + (known.length > 6 ? ' and ' + (known.length - 6) + ' more' : '');
  }
  if (call.match !== null) {
    const other = calls[call.match];
    return call.kind === 'send' ? 'rank ' + other.rank + ' took the message' : 'the message from rank ' + other.rank;
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
