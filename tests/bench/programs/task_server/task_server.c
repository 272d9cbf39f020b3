#include "task_server.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

enum {
    /* from clients */
    PUT = 1,
    RESERVE,
    GET,
    /* to clients */
    ACCEPTED,
    RESERVED,
    DATA,
    /* from server to server */
    STEAL,
    STOLEN, /* its answer */
    RETURN, /* what was stolen is not needed any more */
    /* around all servers, two rounds each */
    STATE,
    CHECK,
    /* around once */
    END,
};

/* Every message is one of these; what the numbers mean depends on its tag. */
typedef struct {
    int client, number; /* number: of the reservation or the attempt to steal that this answers */
    int server, unit, type, types, priority, size;
    int round, quiet, wanted;
    int have[TS_MOST_SERVERS]; /* types of which each server has units */
    char data[TS_MOST_DATA];
} Message;

typedef struct Unit {
    int number, type, priority, size;
    int pinned; /* for somebody who has not fetched it */
    char data[TS_MOST_DATA];
    struct Unit* next; /* in the order in which they were put */
} Unit;

/* A message on its way to another server. */
typedef struct Posted {
    Message message;
    MPI_Request request;
    struct Posted* next;
} Posted;

/* What a server knows of a client whose home it is. */
typedef struct {
    int waits, types, number; /* in ts_reserve, for these types, its so-and-so-many-th reservation */
    int attempt;              /* to steal for it; 0: none */
    int victim;               /* from this server */
    int given_up;             /* the last attempt that took too long */
    double since;
} Client;

static MPI_Comm comm = MPI_COMM_NULL;
static int rank, clients, servers;
static TsTimes times;

/* Of a client. */
static int put_count, reservations;

/* Of a server. */
static Client* own; /* by rank */
static Unit* units;
static Posted* posted;
static int have[TS_MOST_SERVERS]; /* as it was told */
static int unit_count, attempts;
static int unanswered; /* attempts to steal */
static int touched;    /* something has come since it was asked in the first round of CHECK */
static int ring_is_out, ended;
static double now, last_came, last_state;

static int home_of(int client) { return clients + client % servers; }
static int next_server(void) { return clients + (rank - clients + 1) % servers; }
static int is_master(void) { return rank == clients; }

static void fail(const char* why) {
    fprintf(stderr, "task server, rank %d: %s\n", rank, why);
    MPI_Abort(comm, 2);
}

static void send(Message* message, int destination, int tag) {
    MPI_Send(message, (int)sizeof *message, MPI_BYTE, destination, tag, comm);
}

static void receive(Message* message, int source, int tag) {
    MPI_Recv(message, (int)sizeof *message, MPI_BYTE, source, tag, comm, MPI_STATUS_IGNORE);
}

/* ---- Servers: messages to others, and what there is */

static void post(const Message* message, int server, int tag) {
    Posted* one = malloc(sizeof *one);
    one->message = *message;
    one->next = posted;
    posted = one;
    MPI_Isend(&one->message, (int)sizeof one->message, MPI_BYTE, server, tag, comm, &one->request);
}

static void test_posted(void) {
    for (Posted** at = &posted; *at != NULL;) {
        Posted* one = *at;
        int through;
        MPI_Test(&one->request, &through, MPI_STATUS_IGNORE);
        if (through) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
}

static Unit* find(int types) {
    Unit* best = NULL;
    for (Unit* unit = units; unit != NULL; unit = unit->next) {
        if (!unit->pinned && (types & TS_TYPE(unit->type)) && (best == NULL || unit->priority > best->priority)) {
            best = unit;
        }
    }
    return best;
}

static int types_here(void) {
    int types = 0;
    for (Unit* unit = units; unit != NULL; unit = unit->next) {
        types |= unit->pinned ? 0 : TS_TYPE(unit->type);
    }
    return types;
}

static void pin(Unit* unit, Message* message) {
    unit->pinned = 1;
    message->server = rank;
    message->unit = unit->number;
    message->type = unit->type;
    message->size = unit->size;
}

/* Of the server where the unit was put; `why`: what it means if it is not there. */
static Unit** place_of(int number, const char* why) {
    Unit** at = &units;
    while (*at != NULL && (*at)->number != number) {
        at = &(*at)->next;
    }
    if (*at == NULL || !(*at)->pinned) {
        fail(why);
    }
    return at;
}

/* `message` tells where the unit is; server -1: there is none, and never will be. */
static void answer(int client, Message* message) {
    own[client].waits = 0;
    own[client].attempt = 0;
    message->number = own[client].number;
    send(message, client, RESERVED);
}

static void steal(int client) {
    Client* c = &own[client];
    for (int s = 0; c->waits && c->attempt == 0 && s < servers; s++) {
        if (clients + s != rank && (have[s] & c->types)) {
            Message message = {.client = client, .number = ++attempts, .types = c->types};
            c->attempt = attempts;
            c->victim = s;
            c->since = now;
            unanswered++;
            post(&message, clients + s, STEAL);
        }
    }
}

static void expire_attempts(void) {
    for (int c = 0; c < clients; c++) {
        if (own[c].attempt != 0 && now - own[c].since > times.steal) {
            own[c].given_up = own[c].attempt;
            own[c].attempt = 0;
            have[own[c].victim] &= ~own[c].types;
            steal(c);
        }
    }
}

/* ---- Servers: what comes from clients */

static void take_put(const Message* message, int client) {
    Unit* unit = calloc(1, sizeof *unit);
    unit->number = ++unit_count;
    unit->type = message->type;
    unit->priority = message->priority;
    unit->size = message->size;
    memcpy(unit->data, message->data, (size_t)message->size);
    Unit** end = &units;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = unit;
    Message reply = {0};
    if (BUG != 1) {
        send(&reply, client, ACCEPTED);
    }
    for (int c = 0; c < clients; c++) {
        if (own[c].waits && (own[c].types & TS_TYPE(unit->type))) {
            pin(unit, &reply);
            answer(c, &reply);
            return;
        }
    }
}

static void take_reserve(const Message* message, int client) {
    own[client].waits = 1;
    own[client].types = message->types;
    own[client].number = message->number;
    Unit* unit = find(message->types);
    if (unit != NULL) {
        Message reply = {0};
        pin(unit, &reply);
        answer(client, &reply);
    } else {
        steal(client);
    }
}

static void take_get(const Message* message, int client) {
    Unit** at = place_of(message->unit, "a unit is fetched that is not there");
    Unit* unit = *at;
    Message reply = {.size = unit->size};
    memcpy(reply.data, unit->data, (size_t)unit->size);
    *at = unit->next;
    free(unit);
    send(&reply, client, DATA);
}

/* ---- Servers: what comes from others */

static void take_steal(const Message* message, int thief) {
    Message reply = {.client = message->client, .number = message->number, .server = -1};
    Unit* unit = find(message->types);
    if (unit != NULL) {
        pin(unit, &reply);
    }
    post(&reply, thief, STOLEN);
}

/* Also what comes too late is taken if it is still of use: otherwise nothing would go on where all are slow. */
static void take_stolen(Message* message, int victim) {
    Client* client = &own[message->client];
    const int found = message->server != -1, late = client->attempt != message->number;
    const int useful = found && client->waits && (client->types & TS_TYPE(message->type));
    unanswered--;
    if (BUG == 3 && message->number == client->given_up) {
        return;
    }
    if (useful || (found && BUG == 4)) {
        answer(message->client, message);
    } else if (found) {
        post(message, victim, RETURN);
    } else if (!late) {
        client->attempt = 0;
        have[victim - clients] &= ~client->types;
        steal(message->client);
    }
}

static void take_return(const Message* message) {
    Unit* unit = *place_of(message->unit, "a unit is returned that is not there");
    unit->pinned = 0;
    for (int c = 0; c < clients; c++) {
        if (own[c].waits && (own[c].types & TS_TYPE(unit->type))) {
            Message reply = {0};
            pin(unit, &reply);
            answer(c, &reply);
            return;
        }
    }
}

/* ---- Servers: what goes around */

/* All clients of this server wait, and nothing is on its way for any of them or set aside here. */
static int is_quiet(void) {
    int quiet = unanswered == 0;
    for (int c = 0; c < clients; c++) {
        quiet &= home_of(c) != rank || own[c].waits;
    }
    for (Unit* unit = units; unit != NULL && BUG != 3; unit = unit->next) {
        quiet &= !unit->pinned;
    }
    return quiet;
}

/* What this server has to say, and what it takes from it. */
static void join(Message* message, int tag) {
    if (tag == STATE && message->round == 1) {
        message->have[rank - clients] = types_here();
    } else if (tag == STATE) {
        memcpy(have, message->have, sizeof have);
        for (int c = 0; c < clients; c++) {
            steal(c);
        }
    } else if (tag == CHECK) {
        message->quiet &= is_quiet() && (message->round == 1 || !touched);
        message->types |= types_here();
        for (int c = 0; c < clients; c++) {
            message->wanted |= own[c].waits ? own[c].types : 0;
        }
        if (message->round == 1) {
            touched = 0;
        }
    }
}

static void start_round(Message message, int tag, int round) {
    message.round = round;
    message.types = message.wanted = 0;
    ring_is_out = 1;
    join(&message, tag);
    post(&message, next_server(), tag);
}

/* What a master does when a round has come back. */
static void take_back(const Message* message, int tag) {
    static const Message fresh;
    ring_is_out = 0;
    if (tag == STATE) {
        if (message->round == 1) {
            start_round(*message, STATE, 2);
        }
        last_state = now;
    } else if (tag == END) {
        ended = 1;
    } else if (!message->quiet) {
        last_came = now;
    } else if (message->round == 1 && BUG != 2) {
        start_round(*message, CHECK, 2);
    } else if ((message->wanted & message->types) && BUG != 5) {
        last_came = now;
        start_round(fresh, STATE, 1);
    } else {
        start_round(fresh, END, 1);
    }
}

static void look_at_clock(void) {
    static const Message fresh = {.quiet = 1};
    now = MPI_Wtime();
    expire_attempts();
    if (!is_master() || ring_is_out) {
        return;
    }
    if (now - last_came > times.idle) {
        start_round(fresh, CHECK, 1);
    } else if (now - last_state > times.state) {
        start_round(fresh, STATE, 1);
    }
}

static void take_ring(Message* message, int tag) {
    if (is_master()) {
        take_back(message, tag);
        return;
    }
    join(message, tag);
    ended = tag == END;
    post(message, next_server(), tag);
}

/* ---- Servers: the loop */

static void handle(Message* message, int source, int tag) {
    if (tag != STATE && tag != CHECK && tag != END) {
        last_came = now;
        touched = 1;
    }
    switch (tag) {
        case PUT:
            take_put(message, source);
            break;
        case RESERVE:
            take_reserve(message, source);
            break;
        case GET:
            take_get(message, source);
            break;
        case STEAL:
            take_steal(message, source);
            break;
        case STOLEN:
            take_stolen(message, source);
            break;
        case RETURN:
            take_return(message);
            break;
        case STATE:
        case CHECK:
        case END:
            take_ring(message, tag);
            break;
        default:
            fail("an unknown message");
    }
}

void ts_serve(void) {
    own = calloc((size_t)clients, sizeof *own);
    last_came = last_state = now = MPI_Wtime();
    while (!ended) {
        int flag;
        MPI_Status status;
        test_posted();
        look_at_clock();
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
        if (flag) {
            Message message;
            receive(&message, status.MPI_SOURCE, status.MPI_TAG);
            handle(&message, status.MPI_SOURCE, status.MPI_TAG);
        }
    }
    for (int c = 0; c < clients; c++) {
        Message nothing = {.server = -1};
        if (own[c].waits) {
            answer(c, &nothing);
        }
    }
    while (posted != NULL) {
        test_posted();
    }
    while (units != NULL) { /* of types that nobody asked for */
        Unit* next = units->next;
        free(units);
        units = next;
    }
    free(own);
}

/* ---- Everybody */

int ts_start(MPI_Comm whole, int server_count, TsTimes all_times) {
    int size;
    MPI_Comm_dup(whole, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    servers = server_count;
    clients = size - servers;
    times = all_times;
    if (servers < 1 || servers > TS_MOST_SERVERS || clients < 1) {
        fail("it needs a server (up to 16) and a client");
    }
    return rank < clients;
}

void ts_end(void) { MPI_Comm_free(&comm); }

/* ---- Clients */

/* BUG 6 has no patience: it returns 0 if the confirmation has not come in time. */
static int wait_for_confirmation(int server) {
    Message reply;
    if (BUG == 6) {
        int flag = 0;
        const double begin = MPI_Wtime();
        while (!flag && MPI_Wtime() - begin < times.steal) {
            MPI_Iprobe(server, ACCEPTED, comm, &flag, MPI_STATUS_IGNORE);
        }
        if (!flag) {
            return 0;
        }
    }
    if (BUG != 1) {
        receive(&reply, server, ACCEPTED);
    }
    return 1;
}

void ts_put(int type, int priority, const void* data, int size) {
    Message message = {.type = type, .priority = priority, .size = size};
    if (type < 0 || type >= 16 || size < 0 || size > TS_MOST_DATA) {
        fail("there is no such unit");
    }
    memcpy(message.data, data, (size_t)size);
    int server;
    do {
        server = home_of(rank + put_count++);
        send(&message, server, PUT);
    } while (!wait_for_confirmation(server));
}

int ts_reserve(int types, TsReserved* reserved) {
    Message message = {.types = types, .number = ++reservations};
    send(&message, home_of(rank), RESERVE);
    receive(&message, home_of(rank), RESERVED);
    assert(message.number == reservations);
    reserved->server = message.server;
    reserved->unit = message.unit;
    reserved->type = message.type;
    reserved->size = message.size;
    return message.server != -1;
}

void ts_get_reserved(const TsReserved* reserved, void* data) {
    Message message = {.unit = reserved->unit};
    send(&message, reserved->server, GET);
    receive(&message, reserved->server, DATA);
    memcpy(data, message.data, (size_t)reserved->size);
}
