"""The club's database: its tables, and how an older database becomes a newer one."""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection

from companion.club.naming import ClubError

CHANNEL = "heelstone_club"
"""Channel of the database that names tables with newly stored events."""
PAIRINGS = "heelstone_pairings"
"""Channel that tells that something is paired, settled, or to be played elsewhere."""

_RECORDS = """
create table tables (
    name text primary key,
    heard_at timestamptz not null default now()
);
create table matches (
    tab text not null references tables (name),
    id text not null,
    header jsonb,                        -- null: events came before it
    status text not null default 'open',
    stood_at timestamptz,                -- when the broker took the message that said so
    complete integer not null default 0, -- events without a gap
    highest integer not null default 0,
    replaced_by text,
    began_at timestamptz not null default now(),
    changed_at timestamptz not null default now(),
    primary key (tab, id)
);
create index matches_lately on matches (changed_at desc);
create table events (
    tab text not null,
    match text not null,
    seq integer not null check (seq > 0),
    t double precision not null,
    type text not null,
    src text not null,
    body jsonb not null,
    stored_at timestamptz not null default clock_timestamp(),
    primary key (tab, match, seq),
    foreign key (tab, match) references matches (tab, id)
);
"""
_TOURNAMENTS = """
create table members (
    id integer generated always as identity primary key,
    name text not null check (name <> '')
);
create unique index members_name on members (lower(name));
create table tournaments (
    id integer generated always as identity primary key,
    name text not null check (name <> ''),
    game text not null,
    kind text not null check (kind in ('swiss', 'round_robin')),
    rounds integer not null check (rounds between 1 and 200),
    began_at timestamptz not null default now(),
    over boolean not null default false
);
create table entrants (
    tournament integer not null references tournaments (id),
    member integer not null references members (id),
    number integer not null,             -- in the order of entry; breaks ties in pairings
    left_after integer,                  -- the last round played; null: still there
    primary key (tournament, member),
    unique (tournament, number)
);
create table pairings (
    tournament integer not null references tournaments (id),
    round integer not null check (round > 0),
    board integer not null check (board > 0),
    first integer not null references members (id),
    second integer references members (id),  -- null: a bye
    points numeric(2, 1),                -- of the first player; null: not yet played
    primary key (tournament, round, board)
);
"""
_SET_ASIDE = """
alter table tables
    add column set_aside bigint not null default 0,  -- messages, ever
    add column day date not null default current_date,
    add column bytes bigint not null default 0,      -- taken on that day
    add column matches bigint not null default 0;    -- begun on that day
create table set_aside (
    tab text not null references tables (name),
    number bigint not null,              -- of the message in the table's stream
    at timestamptz not null default clock_timestamp(),
    why text not null,
    data bytea not null,                 -- its beginning
    primary key (tab, number)
);
"""
_TABLES_OF_SEVERAL = """
alter table tournaments
    add column seats integer not null default 2 check (seats between 2 and 6),
    add column scale double precision[] not null default '{1,0}',  -- points by place
    add column by_rating boolean not null default true;    -- else as they were entered
create table seats (
    tournament integer not null,
    round integer not null,
    board integer not null,
    seat integer not null check (seat > 0),  -- a game of one seat is a bye
    member integer not null references members (id),
    place integer check (place > 0),     -- null: not yet played
    primary key (tournament, round, board, seat),
    foreign key (tournament, round, board) references pairings on delete cascade
);
insert into seats
    select tournament, round, board, 1, first,
        case when points is null then null when points < 0.5 then 2 else 1 end
    from pairings
    union all
    select tournament, round, board, 2, second,
        case when points is null then null when points > 0.5 then 2 else 1 end
    from pairings where second is not null;
alter table pairings
    drop column first,
    drop column second,
    drop column points,
    add column paired_at timestamptz not null default now(),
    add column tab text,                 -- the recorded match that is the result; null: typed
    add column match text;
create table taken_back (
    id integer generated always as identity primary key,
    tournament integer not null references tournaments (id),
    round integer not null,
    at timestamptz not null default clock_timestamp(),
    games jsonb not null                 -- the round with its results
);
"""

_OUTCOMES = """
alter table matches
    add column ended jsonb,              -- the outcome, while the match is over and counts
    add column ended_t double precision, -- when that was
    add column settled_at timestamptz;   -- when these two were set last
create index matches_settled on matches (settled_at) where settled_at is not null;
update matches m set ended = e.body, ended_t = e.t, settled_at = clock_timestamp()
from matches o join lateral (
    select type, body, t from events where tab = o.tab and match = o.id and seq <= o.complete
    and type in ('move', 'takeback', 'end') order by seq desc limit 1
) e on e.type = 'end'
where m.tab = o.tab and m.id = o.id and o.status = 'finished' and o.header is not null
and o.replaced_by is null and coalesce(o.header -> 'together' ->> 'hosting', 'true') <> 'false';
"""

_SENT_TO_TABLES = """
alter table tournaments
    add column options jsonb not null default '{}';  -- of its game
alter table pairings
    add column id integer generated by default as identity unique,
    add column at_table text not null default '',  -- where it is to be played; empty: anywhere
    add column typed_at timestamptz;     -- when the result was first typed; null: it was not
update pairings p set typed_at = paired_at
    where tab is null and 1 < (select count(place) from seats s
        where (s.tournament, s.round, s.board) = (p.tournament, p.round, p.board));
create index pairings_match on pairings (tab, match);
"""

MIGRATIONS = (_RECORDS, _TOURNAMENTS, _SET_ASIDE, _TABLES_OF_SEVERAL, _OUTCOMES, _SENT_TO_TABLES)
"""Migrations from each version to the next; nothing here is ever changed, only added to."""

_LOCK = 0x4EE15703
"""Key of the lock by which one program at a time brings a database up to date."""


async def migrate(db: AsyncConnection[Any]) -> None:
    """Bring a database up to date, in one piece. Raises ClubError for a newer one."""
    async with db.transaction():
        await db.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        await db.execute("create table if not exists schema_version (version integer not null)")
        row = await (await db.execute("select max(version) from schema_version")).fetchone()
        version = int(row[0] or 0) if row else 0
        if version > len(MIGRATIONS):
            raise ClubError("club_database_newer", version=version, known=len(MIGRATIONS))
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            await db.execute(statements)
            await db.execute("insert into schema_version values (%s)", (number,))
