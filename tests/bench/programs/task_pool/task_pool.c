#include "task_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* from clients */
    PUT = 1,
    RESERVE,
    GET,
    /* to clients */
    ACCEPTED,
    RESERVED,
    DATA,
    /* between servers */
    SEARCH, /* a reservation on its way around */
    FOUND,  /* its answer, to the home server */
    NEWS,   /* there is a new unit of this type */
    TOKEN,  /* are all clients waiting? */
    END,
};

/* Every message is one of these; what the numbers mean depends on its tag. */
typedef struct {
    int client, types, unit, type, priority, size, sent, received;
    char data[POOL_MOST_DATA];
} PoolMessage;

typedef struct Unit {
    int number, type, priority, size;
    int reserved; /* for somebody who has not fetched it */
    char data[POOL_MOST_DATA];
    struct Unit* next; /* in the order in which they were put */
} Unit;

/* What a message to another server needs until it has been received. */
typedef struct Posted {
    PoolMessage message;
    MPI_Request request;
    struct Posted* next;
} Posted;

typedef struct {
    int waits;     /* in pool_reserve */
    int types;     /* for these */
    int searching; /* its reservation is on its way around the other servers */
    int again;     /* there was news since it set out */
} Client;

static MPI_Comm comm = MPI_COMM_NULL;
static int rank, clients, servers;

/* Of a server. */
static Client* own; /* by rank; those whose home this is */
static Unit* units;
static Posted* posted;
static int unit_count, sent, received; /* between servers, without tokens */
static int has_token, ended;
static PoolMessage token;
static int last_sent, last_received; /* of the last round of the token */

static void fail(const char* why) {
    fprintf(stderr, "task pool, rank %d: %s\n", rank, why);
    MPI_Abort(comm, 2);
}

static int home_of(int client) { return clients + client % servers; }
static int next_server(void) { return clients + (rank - clients + 1) % servers; }

static void send(PoolMessage* message, int destination, int tag) {
    MPI_Send(message, (int)sizeof *message, MPI_BYTE, destination, tag, comm);
}

static void receive(PoolMessage* message, int source, int tag) {
    MPI_Recv(message, (int)sizeof *message, MPI_BYTE, source, tag, comm, MPI_STATUS_IGNORE);
}

/* Two servers may want to send to each other at the same time: neither waits for the other. */
static void send_server(const PoolMessage* message, int server, int tag) {
    Posted* post = malloc(sizeof *post);
    post->message = *message;
    post->next = posted;
    posted = post;
    sent += tag != TOKEN && tag != END;
    MPI_Isend(&post->message, (int)sizeof post->message, MPI_BYTE, server, tag, comm, &post->request);
}

/* ---- Servers */

static Unit* find_unit(int types) {
    Unit* best = NULL;
    for (Unit* unit = units; unit != NULL; unit = unit->next)
        if (!unit->reserved && (types & POOL_TYPE(unit->type)) && (best == NULL || unit->priority > best->priority))
            best = unit;
    return best;
}

static void describe(const Unit* unit, PoolMessage* message) {
    message->unit = unit->number;
    message->type = unit->type;
    message->priority = unit->priority;
    message->size = unit->size;
}

/* `server`: where the unit is; -1: there is none, and never will be. */
static void answer(int client, PoolMessage* message, int server) {
    message->client = server;
    own[client].waits = 0;
    own[client].searching = 0;
    send(message, client, RESERVED);
}

static void search(int client) {
    PoolMessage message = {.client = client, .types = own[client].types};
    own[client].searching = 1;
    own[client].again = 0;
    send_server(&message, next_server(), SEARCH);
}

static void take_put(const PoolMessage* message, int client) {
    Unit* unit = calloc(1, sizeof *unit);
    unit->number = unit_count++;
    unit->type = message->type;
    unit->priority = message->priority;
    unit->size = message->size;
    memcpy(unit->data, message->data, (size_t)message->size);
    Unit** end = &units;
    while (*end != NULL) end = &(*end)->next;
    *end = unit;
    PoolMessage reply = {.unit = unit->number};
    send(&reply, client, ACCEPTED);
    /* Whoever waits here for such a unit gets it; if nobody does, somebody elsewhere may. */
    for (int c = 0; c < clients; c++)
        if (own[c].waits && !own[c].searching && (own[c].types & POOL_TYPE(unit->type))) {
            unit->reserved = 1;
            describe(unit, &reply);
            answer(c, &reply, rank);
            return;
        }
    PoolMessage news = {.types = POOL_TYPE(unit->type)};
    for (int s = clients; s < clients + servers; s++)
        if (s != rank) send_server(&news, s, NEWS);
}

static void take_reserve(const PoolMessage* message, int client) {
    own[client].waits = 1;
    own[client].types = message->types;
    Unit* unit = find_unit(message->types);
    PoolMessage reply = {0};
    if (unit != NULL) {
        unit->reserved = 1;
        describe(unit, &reply);
        answer(client, &reply, rank);
    } else if (servers > 1) {
        search(client);
    }
}

static void take_get(const PoolMessage* message, int client) {
    for (Unit** at = &units; *at != NULL; at = &(*at)->next)
        if ((*at)->number == message->unit) {
            Unit* unit = *at;
            PoolMessage reply = {.size = unit->size};
            memcpy(reply.data, unit->data, (size_t)unit->size);
            *at = unit->next;
            free(unit);
            send(&reply, client, DATA);
            return;
        }
    fail("a unit is fetched that is not there");
}

static void take_search(const PoolMessage* message) {
    PoolMessage on = *message;
    if (home_of(message->client) == rank) { /* nobody had any */
        Client* client = &own[message->client];
        if (!client->searching) return; /* found meanwhile */
        client->searching = 0;
        Unit* unit = find_unit(client->types);
        if (unit != NULL) {
            unit->reserved = 1;
            describe(unit, &on);
            answer(message->client, &on, rank);
        } else if (client->again) {
            search(message->client);
        }
        return;
    }
    Unit* unit = find_unit(message->types);
    if (unit == NULL) {
        send_server(&on, next_server(), SEARCH);
        return;
    }
    unit->reserved = 1;
    describe(unit, &on);
    on.sent = rank;
    send_server(&on, home_of(message->client), FOUND);
}

static void take_news(const PoolMessage* message) {
    for (int c = 0; c < clients; c++)
        if (own[c].waits && (own[c].types & message->types)) {
            if (own[c].searching)
                own[c].again = 1;
            else
                search(c);
        }
}

/* All clients of this server wait, and nothing is on its way for any of them. */
static int is_idle(void) {
    for (int c = 0; c < clients; c++)
        if (home_of(c) == rank && (!own[c].waits || own[c].searching)) return 0;
    return 1;
}

/* The token goes around, held up by servers that are not idle. When it comes back twice with the same sums, and as
 * much was received as sent, nothing has happened in between, and nothing will. */
static void pass_token(void) {
    if (!has_token || !is_idle()) return;
    if (rank == clients) {
        if (servers == 1) {
            ended = 1;
            return;
        }
        token.sent += sent; /* those of the others since the last round */
        token.received += received;
        const int quiet = token.sent == token.received && token.sent == last_sent && token.received == last_received;
        if (quiet) {
            ended = 1;
            PoolMessage message = {0};
            for (int s = clients + 1; s < clients + servers; s++) send_server(&message, s, END);
            return;
        }
        last_sent = token.sent;
        last_received = token.received;
        token.sent = token.received = 0;
    } else {
        token.sent += sent;
        token.received += received;
    }
    has_token = 0;
    send_server(&token, next_server(), TOKEN);
}

void pool_serve(void) {
    own = calloc((size_t)clients, sizeof *own);
    has_token = rank == clients;
    last_sent = last_received = -1;
    for (pass_token(); !ended; pass_token()) {
        MPI_Status status;
        PoolMessage message;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        receive(&message, status.MPI_SOURCE, status.MPI_TAG);
        switch (status.MPI_TAG) {
            case PUT:
                take_put(&message, status.MPI_SOURCE);
                break;
            case RESERVE:
                take_reserve(&message, status.MPI_SOURCE);
                break;
            case GET:
                take_get(&message, status.MPI_SOURCE);
                break;
            case SEARCH:
                received++, take_search(&message);
                break;
            case NEWS:
                received++, take_news(&message);
                break;
            case FOUND:
                received++;
                answer(message.client, &message, message.sent);
                break;
            case TOKEN:
                has_token = 1;
                token = message;
                break;
            case END:
                ended = 1;
                break;
            default:
                fail("an unknown message");
        }
    }
    for (int c = 0; c < clients; c++)
        if (own[c].waits) {
            PoolMessage nothing = {0};
            answer(c, &nothing, -1);
        }
    while (posted != NULL) {
        Posted* next = posted->next;
        MPI_Wait(&posted->request, MPI_STATUS_IGNORE);
        free(posted);
        posted = next;
    }
    while (units != NULL) { /* of types that nobody asked for */
        Unit* next = units->next;
        free(units);
        units = next;
    }
    free(own);
}

/* ---- Everybody */

int pool_start(MPI_Comm whole, int server_count) {
    int size;
    MPI_Comm_dup(whole, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    servers = server_count;
    clients = size - servers;
    if (servers < 1 || clients < 1) fail("it needs a server and a client");
    return rank < clients;
}

void pool_end(void) { MPI_Comm_free(&comm); }

/* ---- Clients */

void pool_put(int type, int priority, const void* data, int size) {
    PoolMessage message = {.type = type, .priority = priority, .size = size};
    if (type < 0 || type >= POOL_MOST_TYPES || size < 0 || size > POOL_MOST_DATA) fail("there is no such unit");
    memcpy(message.data, data, (size_t)size);
    send(&message, home_of(rank), PUT);
    receive(&message, home_of(rank), ACCEPTED);
}

int pool_reserve(int types, PoolReserved* reserved) {
    PoolMessage message = {.types = types};
    send(&message, home_of(rank), RESERVE);
    receive(&message, home_of(rank), RESERVED);
    reserved->server = message.client;
    reserved->unit = message.unit;
    reserved->type = message.type;
    reserved->priority = message.priority;
    reserved->size = message.size;
    return message.client != -1;
}

void pool_get_reserved(const PoolReserved* reserved, void* data) {
    PoolMessage message = {.unit = reserved->unit};
    send(&message, reserved->server, GET);
    receive(&message, reserved->server, DATA);
    memcpy(data, message.data, (size_t)reserved->size);
}
