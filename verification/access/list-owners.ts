/** The rows that a list must contain: the ids from this query, with the user as $1. */
interface ListRule {
  idOf(row: never): string | number
  ownRows: string
}

interface WithId {
  id: string | number
}

const byId = (ownRows: string): ListRule => ({ idOf: ({ id }: WithId) => id, ownRows })

/** Lists of the caller's own data. */
export const ownLists: Record<string, ListRule> = {
  'GET /api/user/wanted-items': byId('select id from wanted_items where user_id = $1'),
  'GET /api/user/requests': byId('select id from wanted_items where user_id = $1'),
  'GET /api/user/offers': byId('select id from offers where seller_id = $1'),
  'GET /api/user/purchases': byId(`select id from payments where buyer_id = $1 and status <> 'pending'`),
  'GET /api/user/devices': byId(
    `select left(encode(sha256(convert_to(sid, 'UTF8')), 'hex'), 32) as id from sessions
     where sess ->> 'userId' = $1`,
  ),
  'GET /api/user/audit-log': byId('select id::integer from audit_log where $1 in (actor_id, subject_id)'),
  'GET /api/messages': byId('select id from messages where $1 in (sender_id, receiver_id)'),
  'GET /api/offers': byId('select id from offers where $1 in (buyer_id, seller_id)'),
  'GET /api/blocks': {
    idOf: ({ user }: { user: WithId }) => user.id,
    ownRows: 'select blocked_id as id from blocks where blocker_id = $1',
  },
  'GET /api/user/decisions': byId('select id from moderation_decisions where person_id = $1'),
  'GET /api/saved-searches': byId('select id from saved_searches where user_id = $1'),
  'GET /api/notifications': byId('select id from notifications where user_id = $1'),
  'GET /api/support/tickets': byId('select id from support_tickets where user_id = $1'),
  'GET /api/seller/payouts': byId('select id from payouts where seller_id = $1'),
  'GET /api/user/debts': byId('select id from debts where user_id = $1'),
  'GET /api/seller/statements': {
    idOf: ({ month }: { month: string }) => month,
    ownRows: `select distinct to_char(created_at at time zone 'UTC', 'YYYY-MM') as id from ledger_entries
      where account = 'seller:' || $1`,
  },
  'GET /api/payments': {
    idOf: ({ payments }: { payments: WithId }) => payments.id,
    ownRows: 'select id from payments where $1 in (buyer_id, seller_id)',
  },
  'GET /api/conversations': {
    idOf: ({ wantedItem, user }: { wantedItem: WithId; user: WithId }) => `${wantedItem.id} ${user.id}`,
    ownRows: `
      select wanted_item_id || ' ' || receiver_id as id from messages where sender_id = $1
      union select wanted_item_id || ' ' || sender_id from messages where receiver_id = $1
      union select wanted_item_id || ' ' || seller_id from offers where buyer_id = $1
      union select wanted_item_id || ' ' || buyer_id from offers where seller_id = $1`,
  },
}

/** Public lists on a user's profile; $1 is that user. */
export const profileLists: Record<string, ListRule> = {
  'GET /api/users/:id/wanted-items': byId(
    `select id from wanted_items where user_id = $1 and status = 'open'`,
  ),
  'GET /api/users/:id/feedback': {
    idOf: ({ paymentId }: { paymentId: number }) => paymentId,
    ownRows: "select payment_id as id from reviews where subject_id = $1 and subject_role = 'seller'",
  },
  'GET /api/users/:id/reviews': byId('select id from reviews where subject_id = $1'),
}

/** Lists that contain nothing secret for those who may read them. */
export const commonLists = [
  'GET /api/categories',
  'GET /api/places',
  'GET /api/wanted-items',
  'GET /api/wanted-items/:id/offers',
  'GET /api/wanted-items/:id/versions',
  'GET /api/wanted-items/:id/similar',
  'GET /api/wanted-items/by-id',
  'GET /api/user/matches',
  'GET /api/user/policies',
  'GET /api/dev/mails',
  'GET /api/admin/audit-log',
  'GET /api/admin/admins',
  'GET /api/admin/appeals',
  'GET /api/admin/disputes',
  'GET /api/admin/replies',
  'GET /api/admin/disputes/:id/messages',
  'POST /api/admin/disputes/bulk/preview',
  'GET /api/admin/moderation',
  'GET /api/admin/tickets',
  'GET /api/admin/payouts',
  'GET /api/admin/refunds',
  'GET /api/admin/debts',
  'GET /api/admin/settings/history',
  'GET /api/admin/overview',
  'GET /api/admin/people/:id/timeline',
  'GET /api/admin/goodwill',
  'GET /api/admin/exports',
  'GET /api/admin/policies',
]
