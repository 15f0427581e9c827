import { and, eq, gt, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { createEncryption, type Encryption, Unreadable } from '../core/encryption.ts'
import type { Secrets } from '../core/secrets.ts'
import { sessionKeyId } from '../core/signed-tokens.ts'
import type { Database, Db, Tx } from '../database/database.ts'
import { deliveryAddresses, payments, pushKeys, sessions, totpFactors, users } from '../database/schema.ts'
import { addressOwner, hashAddress } from '../features/identity/addresses/sealed-addresses.ts'
import { totpOwner } from '../features/identity/second-factors/codes.ts'
import { handoverOwner } from '../features/money/payments/start-payment.ts'
import { hashBankAccount } from '../features/money/sellers/actions.ts'
import { keepPayoutMethodsHash } from '../features/users/email-changes.ts'
import { PUSH_KEYS_OWNER } from '../providers/push/push-keys.ts'
import type { Services } from '../services.ts'

/** A column with texts that are encrypted under DATA_KEY. */
interface SealedColumn {
  what: string
  id: PgColumn
  column: PgColumn
  ownerOf(id: string): string
  /** A column with a keyed hash of the text. */
  hash?: { column: PgColumn; of(encryption: Encryption, text: string): Promise<string> }
  /** Changes what depends on the encrypted text. */
  afterwards?(tx: Tx, id: string, sealed: { before: string; after: string }): Promise<void>
}

const hashOfAddress = (encryption: Encryption, text: string) => hashAddress(encryption, JSON.parse(text))

/** All of them: a test looks for encrypted texts in the whole database. */
export const sealedColumns: SealedColumn[] = [
  {
    what: 'bank details',
    id: users.id,
    column: users.bankAccountDetails,
    ownerOf: (id) => id,
    hash: {
      column: users.bankAccountHash,
      of: (encryption, text) => hashBankAccount(encryption, JSON.parse(text)),
    },
    afterwards: keepPayoutMethodsHash,
  },
  {
    what: 'authenticator apps',
    id: totpFactors.userId,
    column: totpFactors.secret,
    ownerOf: totpOwner,
  },
  {
    what: 'saved addresses',
    id: deliveryAddresses.userId,
    column: deliveryAddresses.address,
    ownerOf: (id) => addressOwner(`user:${id}`),
    hash: { column: deliveryAddresses.addressHash, of: hashOfAddress },
  },
  {
    what: 'addresses of deals',
    id: payments.id,
    column: payments.deliveryAddress,
    ownerOf: (id) => addressOwner(`payment:${Number(id)}`),
    hash: { column: payments.addressHash, of: hashOfAddress },
  },
  {
    what: 'handover codes',
    id: payments.id,
    column: payments.handoverCode,
    ownerOf: (id) => handoverOwner(Number(id)),
  },
  {
    what: 'keys for push notifications',
    id: pushKeys.publicKey,
    column: pushKeys.privateKey,
    ownerOf: () => PUSH_KEYS_OWNER,
  },
]

export interface Reencrypted {
  what: string
  changed: number
  /** Texts that no key of the list can decrypt. */
  unreadable: number
}

const BATCH = 500

/** Encrypts everything with the key that writes, if another one has encrypted it. */
export async function reencrypt(
  database: Pick<Database, 'read' | 'transact'>,
  { dataKeys }: Pick<Secrets, 'dataKeys'>,
): Promise<Reencrypted[]> {
  const encryption = createEncryption(dataKeys)
  const done: Reencrypted[] = []
  for (const sealed of sealedColumns) done.push(await reencryptColumn(database, encryption, sealed))
  return done
}

/** The job is only for what was written while the keys were changed: `npm run rotate-keys` does the rest. */
export async function reencryptLeft({ database, secrets }: Services): Promise<void> {
  if (secrets.dataKeys.all.length > 1) await reencrypt(database, secrets)
}

async function reencryptColumn(
  { read, transact }: Pick<Database, 'read' | 'transact'>,
  encryption: Encryption,
  sealed: SealedColumn,
): Promise<Reencrypted> {
  const counts = { what: sealed.what, changed: 0, unreadable: 0 }
  const keyId = await encryption.keyId()
  let after: string | undefined
  while (true) {
    const rows = await findOthers(read, sealed, keyId, after)
    for (const row of rows) {
      const text = await encryption.open(row.text, sealed.ownerOf(row.id)).catch((error: unknown) => {
        if (error instanceof Unreadable) return null
        throw error
      })
      if (text === null) counts.unreadable++
      else if (await replace({ transact }, encryption, sealed, row, text)) counts.changed++
    }
    after = rows.at(-1)?.id
    if (rows.length < BATCH) return counts
  }
}

interface SealedText {
  id: string
  text: string
}

/** The texts that end with the id of another key, or with none. */
async function findOthers(
  db: Db,
  { id, column }: SealedColumn,
  keyId: string,
  after: string | undefined,
): Promise<SealedText[]> {
  const ending = `:${keyId}`
  const isLater = after === undefined ? sql`true` : gt(id, after)
  const { rows } = await db.execute<{ id: string; text: string }>(
    sql`select ${id}::text as id, ${column} as text from ${id.table}
        where right(${column}, ${ending.length}) <> ${ending} and ${isLater} order by ${id} limit ${BATCH}`,
  )
  return rows
}

const nameOf = (column: PgColumn) => sql.identifier(toSnakeCase(column.name))

/** Does nothing if the row has changed in the meantime: then it has been encrypted with the key that writes. */
async function replace(
  { transact }: Pick<Database, 'transact'>,
  encryption: Encryption,
  { id, column, hash, ownerOf, afterwards }: SealedColumn,
  row: SealedText,
  text: string,
): Promise<boolean> {
  const resealed = await encryption.seal(text, ownerOf(row.id))
  const set = [sql`${nameOf(column)} = ${resealed}`]
  if (hash) set.push(sql`${nameOf(hash.column)} = ${await hash.of(encryption, text)}`)
  return transact(async (tx) => {
    const { rowCount } = await tx.execute(
      sql`update ${id.table} set ${sql.join(set, sql`, `)} where ${eq(id, row.id)} and ${eq(column, row.text)}`,
    )
    if (rowCount !== 1) return false
    await afterwards?.(tx, row.id, { before: row.text, after: resealed })
    return true
  })
}

/** How many sessions have a cookie that another key than the one that writes has signed. */
export async function countFormerSessions(
  db: Db,
  { sessionKeys }: Pick<Secrets, 'sessionKeys'>,
  now: Date,
): Promise<number> {
  const key = sql`${sessions.sess} ->> 'key'`
  const isFormer = sql`${key} is distinct from ${sessionKeyId(sessionKeys.writing())}`
  return db.$count(sessions, and(gt(sessions.expire, now), isFormer))
}
