// The tables of the first version. Every tenant table's key starts with the tenant's id, so that an unscoped query is easy
// to spot and the tables can be sharded by tenant. Times are milliseconds since 1970, JSON is text.
export const FIRST_VERSION = [
  // Running servers, and the schema that each knows.
  `CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    schema INTEGER NOT NULL,
    seen_at BIGINT NOT NULL
  )`,
  `CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    daily_limit BIGINT,
    created_at BIGINT NOT NULL
  )`,
  // A person. `has_password` is 0 while nobody knows the password, as after the first log-in with single sign-on.
  `CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    instance_owner INTEGER NOT NULL,
    second_factor TEXT,
    pending_second_factor TEXT,
    second_factor_step BIGINT,
    created_at BIGINT NOT NULL,
    oidc_subject TEXT,
    has_password INTEGER NOT NULL DEFAULT 1
  )`,
  'CREATE UNIQUE INDEX accounts_instance_owner ON accounts (instance_owner) WHERE instance_owner = 1',
  'CREATE UNIQUE INDEX accounts_by_oidc_subject ON accounts (oidc_subject) WHERE oidc_subject IS NOT NULL',
  `CREATE TABLE members (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    account_id TEXT REFERENCES accounts (id),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, email)
  )`,
  'CREATE INDEX members_by_account ON members (account_id)',
  `CREATE TABLE management_tokens (
    workspace_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (workspace_id, member_id, id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE bots (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    site_url TEXT,
    fallback_message TEXT,
    tone TEXT NOT NULL,
    answer_threshold DOUBLE PRECISION,
    suggest_threshold DOUBLE PRECISION,
    knowledge_version BIGINT NOT NULL DEFAULT 0,
    curated_version BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    language_model TEXT,
    product_version BIGINT NOT NULL DEFAULT 0,
    product_ready_version BIGINT NOT NULL DEFAULT 0,
    widget_settings TEXT,
    retention_days INTEGER NOT NULL DEFAULT 90,
    source_pages INTEGER NOT NULL DEFAULT 1,
    widget_seen_at BIGINT,
    widget_seen_on TEXT,
    PRIMARY KEY (workspace_id, id)
  )`,
  `CREATE TABLE keys (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    replaced_at BIGINT,
    daily_limit BIGINT,
    PRIMARY KEY (bot_id, id)
  )`,
  `CREATE TABLE quota_days (
    bot_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls BIGINT NOT NULL,
    last_call_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, key_id, day),
    FOREIGN KEY (bot_id, key_id) REFERENCES keys (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  `CREATE TABLE idempotent_calls (
    bot_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    answer TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, key_id, idempotency_key),
    FOREIGN KEY (bot_id, key_id) REFERENCES keys (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX idempotent_calls_by_age ON idempotent_calls (created_at)',
  // `unanswered`: whether the last question got no answer.
  // `low_confidence`: whether the last answer had low confidence.
  // `inbox_status`: with `bot` there is nothing for the team to do.
  `CREATE TABLE conversations (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    channel TEXT NOT NULL,
    session_id TEXT NOT NULL,
    user_id TEXT,
    page_url TEXT,
    metadata TEXT,
    message_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    ended_at BIGINT,
    visitor_id TEXT,
    language TEXT,
    unanswered INTEGER NOT NULL DEFAULT 0,
    handover_status TEXT NOT NULL DEFAULT 'none',
    handover_reason TEXT,
    agent_id TEXT,
    agent_name TEXT,
    requested_at BIGINT,
    accepted_at BIGINT,
    closed_at BIGINT,
    low_confidence INTEGER NOT NULL DEFAULT 0,
    inbox_status TEXT NOT NULL DEFAULT 'bot',
    snoozed_until BIGINT,
    assignee_id TEXT,
    assignee_name TEXT,
    visitor_seen_at BIGINT,
    agent_seen_at BIGINT,
    stars INTEGER,
    stars_reason TEXT,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, channel, session_id)
  ) {clustered}`,
  'CREATE INDEX conversations_open ON conversations (updated_at) WHERE ended_at IS NULL',
  'CREATE INDEX conversations_by_activity ON conversations (bot_id, updated_at, id)',
  `CREATE INDEX conversations_handed_over ON conversations (bot_id, updated_at, id)
    WHERE handover_status IN ('requested', 'active')`,
  'CREATE INDEX conversations_by_start ON conversations (bot_id, created_at)',
  `CREATE INDEX conversations_by_visitor ON conversations (bot_id, visitor_id, updated_at, id)
    WHERE visitor_id IS NOT NULL`,
  'CREATE INDEX conversations_by_user ON conversations (bot_id, user_id, updated_at, id) WHERE user_id IS NOT NULL',
  `CREATE INDEX conversations_in_inbox ON conversations (bot_id, updated_at, id) WHERE inbox_status = 'open'`,
  `CREATE INDEX conversations_by_assignee ON conversations (bot_id, assignee_id, updated_at, id)
    WHERE assignee_id IS NOT NULL`,
  // `shown`: cards and buttons shown with an answer.
  // `question_key`: for replies, the same for questions that differ only in spelling; null where nothing was asked.
  // `unverified`: the turn came without the visitor's token, under a session id that others may know or guess.
  `CREATE TABLE messages (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    sources TEXT,
    document_ids TEXT,
    confidence DOUBLE PRECISION,
    answered INTEGER,
    created_at BIGINT NOT NULL,
    model TEXT,
    input_tokens BIGINT,
    output_tokens BIGINT,
    product_ids TEXT,
    agent_name TEXT,
    rating TEXT,
    rating_reason TEXT,
    shown TEXT,
    question_key TEXT,
    question_id TEXT,
    question_language TEXT,
    unverified INTEGER NOT NULL DEFAULT 0,
    decision TEXT,
    agent_id TEXT,
    PRIMARY KEY (bot_id, conversation_id, id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  `CREATE INDEX messages_questions ON messages (bot_id, question_key, created_at, answered, decision, question_language)
    WHERE question_key IS NOT NULL`,
  `CREATE TABLE documents (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    language TEXT NOT NULL,
    format TEXT NOT NULL,
    content TEXT NOT NULL,
    hash TEXT NOT NULL,
    passage_count INTEGER NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    crawl_id TEXT,
    parser_version INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, id)
  )`,
  // An in-memory index catches up by reading what was changed and removed since its version.
  'CREATE INDEX documents_by_version ON documents (bot_id, version)',
  'CREATE INDEX documents_by_crawl ON documents (bot_id, crawl_id) WHERE crawl_id IS NOT NULL',
  // Counts a bot's documents without reading their texts.
  'CREATE INDEX documents_sizes ON documents (bot_id, passage_count)',
  'CREATE INDEX documents_by_parser ON documents (parser_version)',
  'CREATE INDEX documents_by_change ON documents (bot_id, updated_at, id)',
  'CREATE INDEX documents_by_title ON documents (bot_id, title, id)',
  // `questions`: a JSON array; null: not written yet.
  `CREATE TABLE passages (
    bot_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    headings TEXT NOT NULL,
    anchor TEXT,
    text TEXT NOT NULL,
    questions TEXT,
    PRIMARY KEY (bot_id, document_id, ordinal),
    FOREIGN KEY (bot_id, document_id) REFERENCES documents (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  // Counts and finds the remaining passages without reading their texts.
  'CREATE INDEX passages_without_questions ON passages (bot_id, document_id, ordinal) WHERE questions IS NULL',
  // `outdated`: computed before the questions were written. Used until replaced.
  `CREATE TABLE document_vectors (
    bot_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    model TEXT NOT NULL,
    vectors {blob} NOT NULL,
    outdated INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, document_id),
    FOREIGN KEY (bot_id, document_id) REFERENCES documents (bot_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX document_vectors_by_model ON document_vectors (bot_id, document_id, model, outdated)',
  `CREATE TABLE index_snapshots (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    version BIGINT NOT NULL,
    format TEXT NOT NULL,
    data {blob} NOT NULL,
    PRIMARY KEY (bot_id, part)
  )`,
  `CREATE TABLE curated_answers (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    question TEXT NOT NULL,
    alternatives TEXT NOT NULL,
    answer TEXT NOT NULL,
    url TEXT,
    model TEXT,
    vectors {blob},
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  // Endpoints that receive events; a notification channel is one with a `kind` of its own, a mirror the one of an API key.
  // `settings`: a JSON object; null for webhooks.
  `CREATE TABLE webhooks (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    key_id TEXT,
    url TEXT NOT NULL,
    event_types TEXT,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_until BIGINT,
    failing_since BIGINT,
    failed_at BIGINT,
    disabled_at BIGINT,
    disabled_reason TEXT,
    created_at BIGINT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'webhook',
    settings TEXT,
    waiting_minutes INTEGER,
    notified_at BIGINT,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, key_id),
    FOREIGN KEY (bot_id, key_id) REFERENCES keys (bot_id, id) ON DELETE CASCADE
  )`,
  // No foreign key to the endpoint: deleting it at the same moment must not fail the turn that reports to it.
  // `about`: subject of a delivery: a conversation or, without one, the user or session named in the call.
  `CREATE TABLE deliveries (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    attempt_log TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    taken_by TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    about TEXT,
    PRIMARY KEY (bot_id, id)
  )`,
  // Pending deliveries by endpoint: a worker finds each endpoint without reading a long queue.
  `CREATE INDEX deliveries_waiting ON deliveries (webhook_id, due_at) WHERE state = 'pending'`,
  `CREATE INDEX deliveries_failed ON deliveries (bot_id, id) WHERE state = 'failed'`,
  `CREATE INDEX deliveries_by_age ON deliveries (created_at) WHERE state <> 'pending'`,
  'CREATE INDEX deliveries_about ON deliveries (bot_id, about) WHERE about IS NOT NULL',
  `CREATE INDEX deliveries_waiting_by_id ON deliveries (webhook_id, id, event_type) WHERE state = 'pending'`,
  `CREATE INDEX deliveries_by_state ON deliveries (webhook_id, state, id) WHERE state <> 'pending'`,
  `CREATE INDEX deliveries_by_type ON deliveries (bot_id, event_type, state, id) WHERE state <> 'pending'`,
  `CREATE INDEX deliveries_digests ON deliveries (bot_id) WHERE event_type = 'notification' AND about IS NULL`,
  // One row per day and outcome: answered, no_answer, or the reason for a failure.
  `CREATE TABLE model_usage_days (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    calls BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (bot_id, day, outcome)
  ) {clustered}`,
  // A bot's catalogue. Products are JSON; only what is searched, compared or sorted by has its own column.
  `CREATE TABLE products (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    version BIGINT NOT NULL,
    replacement_id TEXT,
    availability TEXT,
    search_text TEXT NOT NULL,
    synced_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    price_order BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, id)
  )`,
  // An in-memory index catches up by reading what was changed and removed since its version.
  'CREATE INDEX products_by_version ON products (bot_id, version, id)',
  'CREATE INDEX products_by_price ON products (bot_id, price_order, id {binary})',
  `CREATE TABLE product_removals (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    product_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (bot_id, product_id)
  ) {clustered}`,
  // A replace in progress, possibly over several requests; a finished one is kept for a day in case its end is sent again.
  `CREATE TABLE product_replacements (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    sync_id TEXT NOT NULL,
    state TEXT NOT NULL,
    start_version BIGINT NOT NULL,
    batches INTEGER NOT NULL,
    last_batch_hash TEXT NOT NULL,
    report TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  // Ids sent so far in a replace, changed or not.
  `CREATE TABLE product_sightings (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    product_id TEXT NOT NULL,
    replacement_id TEXT NOT NULL,
    PRIMARY KEY (bot_id, product_id, replacement_id)
  ) {clustered}`,
  `CREATE TABLE product_syncs (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (bot_id, id)
  ) {clustered}`,
  // A crawl and its pages are rows, so that any node can resume it.
  `CREATE TABLE crawls (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    hosts TEXT NOT NULL,
    include TEXT NOT NULL,
    exclude TEXT NOT NULL,
    max_pages INTEGER NOT NULL,
    every_hours INTEGER,
    state TEXT NOT NULL,
    reason TEXT,
    limit_reached INTEGER NOT NULL DEFAULT 0,
    run INTEGER NOT NULL,
    due_at BIGINT,
    lease TEXT,
    leased_until BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    PRIMARY KEY (bot_id, id)
  )`,
  'CREATE INDEX crawls_by_due ON crawls (due_at)',
  `CREATE TABLE crawl_pages (
    bot_id TEXT NOT NULL,
    crawl_id TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    path TEXT NOT NULL,
    depth INTEGER NOT NULL,
    redirects INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    related_url TEXT,
    status_code INTEGER,
    title TEXT,
    attempts INTEGER NOT NULL,
    misses INTEGER NOT NULL,
    etag TEXT,
    last_modified TEXT,
    content_hash TEXT,
    document_id TEXT,
    due_at BIGINT NOT NULL,
    fetched_at BIGINT,
    read_at BIGINT,
    PRIMARY KEY (bot_id, crawl_id, id),
    FOREIGN KEY (bot_id, crawl_id) REFERENCES crawls (bot_id, id) ON DELETE CASCADE
  )`,
  // The next pages to fetch, and page counts by state.
  'CREATE INDEX crawl_pages_by_state ON crawl_pages (bot_id, crawl_id, state, depth)',
  // Query strings per path.
  'CREATE INDEX crawl_pages_by_path ON crawl_pages (bot_id, crawl_id, path)',
  'CREATE INDEX crawl_pages_by_content ON crawl_pages (bot_id, crawl_id, content_hash)',
  // Uploaded files as received, for download. Their text is a document like any other.
  `CREATE TABLE files (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, name)
  )`,
  // `name_lower`: lower-cased by the server: databases differ beyond ASCII.
  `CREATE TABLE visitors (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    name TEXT,
    email TEXT,
    locale TEXT,
    created_at BIGINT NOT NULL,
    name_lower TEXT,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, token_hash)
  )`,
  `CREATE TABLE conversation_notes (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    author TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  // One per visitor.
  `CREATE TABLE leads (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    visitor_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    name TEXT,
    email TEXT,
    phone TEXT,
    message TEXT,
    fields TEXT NOT NULL,
    source TEXT NOT NULL,
    consent INTEGER NOT NULL,
    page_url TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    name_lower TEXT,
    email_verified INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, visitor_id)
  )`,
  // `confirmed_at`: when the person last confirmed their identity; 0: before this was recorded.
  `CREATE TABLE sessions (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    workspace_id TEXT,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    ip TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    confirmed_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE TABLE recovery_codes (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (account_id, hash)
  ) {clustered}`,
  // Single-use link tokens: instance set-up and password reset.
  `CREATE TABLE link_tokens (
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
  )`,
  'CREATE INDEX link_tokens_by_account ON link_tokens (account_id)',
  `CREATE TABLE invitations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT,
    role TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, email)
  )`,
  `CREATE TABLE throttles (
    name TEXT PRIMARY KEY,
    attempts BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  ) {clustered}`,
  `CREATE TABLE audit_entries (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    ip TEXT,
    PRIMARY KEY (workspace_id, id)
  ) {clustered}`,
  'CREATE INDEX audit_entries_by_age ON audit_entries (at)',
  `CREATE TABLE product_snapshots (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    save_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    data {blob} NOT NULL,
    PRIMARY KEY (bot_id, save_id, part)
  )`,
  `CREATE TABLE dismissed_questions (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    question_key TEXT NOT NULL,
    dismissed_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, question_key)
  ) {clustered}`,
  `CREATE TABLE retention_runs (
    bot_id TEXT PRIMARY KEY REFERENCES bots (id) ON DELETE CASCADE,
    claimed_at BIGINT NOT NULL,
    finished_at BIGINT,
    removed BIGINT NOT NULL DEFAULT 0
  )`,
  // Only the last removal of a document counts.
  `CREATE TABLE document_removals (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    document_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (bot_id, document_id)
  ) {clustered}`,
  // One row per bot that ever switched it on: settings, lease, cost so far.
  `CREATE TABLE question_writing (
    bot_id TEXT PRIMARY KEY REFERENCES bots (id) ON DELETE CASCADE,
    enabled INTEGER NOT NULL,
    daily_calls INTEGER NOT NULL,
    due_at BIGINT NOT NULL DEFAULT 0,
    lease TEXT,
    leased_until BIGINT NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    last_error_at BIGINT,
    day BIGINT NOT NULL DEFAULT 0,
    calls_today INTEGER NOT NULL DEFAULT 0,
    calls BIGINT NOT NULL DEFAULT 0,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cost DOUBLE PRECISION NOT NULL DEFAULT 0
  )`,
  // Values of the instance itself, such as its secret key's fingerprint.
  `CREATE TABLE instance_values (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
  ) {clustered}`,
  // Language model calls per day: one row per bot, and one per workspace with bot ''.
  `CREATE TABLE model_call_days (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    bot_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, bot_id, day)
  ) {clustered}`,
  // No foreign key to the channel: deleting it at the same moment must not fail the event.
  `CREATE TABLE notification_items (
    bot_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, channel_id, id, type),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX notification_items_due ON notification_items (due_at)',
  'CREATE INDEX notification_items_by_conversation ON notification_items (bot_id, conversation_id)',
  // Queue of emails to visitors: unseen replies and requested transcripts.
  `CREATE TABLE visitor_mails (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    address TEXT,
    PRIMARY KEY (bot_id, conversation_id, kind),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX visitor_mails_due ON visitor_mails (due_at)',
  // Figures per half hour, so that they can be summed by day in any time zone.
  `CREATE TABLE activity (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    half_hour INTEGER NOT NULL,
    channel TEXT NOT NULL,
    slot INTEGER NOT NULL,
    conversations INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    questions INTEGER NOT NULL DEFAULT 0,
    answered INTEGER NOT NULL DEFAULT 0,
    low_confidence INTEGER NOT NULL DEFAULT 0,
    ratings_up INTEGER NOT NULL DEFAULT 0,
    ratings_down INTEGER NOT NULL DEFAULT 0,
    handovers_requested INTEGER NOT NULL DEFAULT 0,
    handovers_accepted INTEGER NOT NULL DEFAULT 0,
    leads INTEGER NOT NULL DEFAULT 0,
    confidence DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, half_hour, channel, slot)
  ) {clustered}`,
  `CREATE TABLE conversation_tags (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, tag),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX conversation_tags_by_tag ON conversation_tags (bot_id, tag)',
  // When a member last read a conversation.
  `CREATE TABLE conversation_reads (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    reader_id TEXT NOT NULL,
    read_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, reader_id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX conversation_reads_by_reader ON conversation_reads (bot_id, reader_id)',
  `CREATE TABLE saved_filters (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    owner_id TEXT NOT NULL,
    filters TEXT NOT NULL,
    PRIMARY KEY (workspace_id, owner_id)
  ) {clustered}`,
  `CREATE TABLE canned_replies (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    shortcut TEXT NOT NULL,
    text TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, shortcut)
  ) {clustered}`,
  // Product lists pulled from a URL, and their runs. Each feed records the products it brought.
  `CREATE TABLE product_feeds (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    shown_url TEXT NOT NULL,
    format TEXT,
    every_hours INTEGER,
    remove_missing INTEGER NOT NULL,
    removal_confirmed INTEGER NOT NULL DEFAULT 0,
    paused INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    product_ids {blob},
    attempts INTEGER NOT NULL DEFAULT 0,
    read_bytes BIGINT NOT NULL DEFAULT 0,
    total_bytes BIGINT,
    read_items INTEGER NOT NULL DEFAULT 0,
    due_at BIGINT,
    lease TEXT,
    leased_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (bot_id, id)
  )`,
  'CREATE INDEX product_feeds_by_due ON product_feeds (due_at)',
  `CREATE TABLE product_feed_runs (
    bot_id TEXT NOT NULL,
    feed_id TEXT NOT NULL,
    id TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (bot_id, feed_id, id),
    FOREIGN KEY (bot_id, feed_id) REFERENCES product_feeds (bot_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE attachments (
    bot_id TEXT NOT NULL,
    id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX attachments_by_conversation ON attachments (bot_id, conversation_id)',
  `CREATE TABLE avatars (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  `CREATE TABLE member_avatars (
    workspace_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, member_id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
  )`,
]
