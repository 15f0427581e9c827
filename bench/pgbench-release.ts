import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RELEASE_BATCH } from '../server/src/features/money/payments/release-payments.ts'

/**
 * The same work as one release batch of the server, in a single SQL statement without round trips. The ledger
 * triggers run at commit in both. pgbench reads a colon before a letter as a variable, even in quotes, hence \\x3a.
 */
const RELEASE_SQL = `
begin;
with due as (
  select id, wanted_item_id, buyer_id, seller_id, amount, currency from payments
  where status = 'held_in_escrow' and escrow_hold_until <= now()
  order by escrow_hold_until limit ${RELEASE_BATCH} for update skip locked
), completed as (
  update payments set status = 'completed', funds_released_at = now(), completed_at = now(), updated_at = now()
  from due where payments.id = due.id
  returning due.*
), charged as (
  select *, least(amount - platform, (amount::bigint * 290 + 5000) / 10000 + 30) as processing
  from (select *, least(amount, (amount::bigint * 300 + 5000) / 10000) as platform from completed) share
), split as materialized (
  select *, amount - platform - processing as payout from charged
), posted as (
  insert into ledger_entries (key, payment_id, account, amount_cents, currency)
  select 'release:' || id, id, account, cents, currency
  from split, lateral (values
    ('escrow:' || id, -amount), ('seller:' || seller_id, payout),
    (E'fees\\x3aplatform', platform), (E'fees\\x3aprocessing', processing)) entry (account, cents)
  where cents <> 0
), fulfilled as (
  update wanted_items set status = 'fulfilled', updated_at = now()
  where id in (select wanted_item_id from split) and status <> 'fulfilled'
), owed as (
  insert into payouts (payment_id, seller_id, amount, currency)
  select id, seller_id, payout, currency from split where payout > 0
  returning id, seller_id
), to_pay as materialized (
  select count(*) from graphile_worker.add_jobs(array(
    select row('pay-seller', json_build_object('payoutId', owed.id), null, null, null, 'pay-seller:' || owed.id, 0, null)::graphile_worker.job_spec
    from owed join users on users.id = owed.seller_id
    where coalesce(stripe_connect_account_id, bank_account_details) is not null))
), told as (
  insert into notifications (user_id, kind, key, payment_id, amount)
  select users.id, 'funds_released', 'funds_released:' || split.id, split.id, cents
  from split, lateral (values (seller_id, payout), (buyer_id, amount)) note (person, cents),
    lateral (select id from users where id = person and deleted_at is null limit 1) users
  on conflict (user_id, key) do nothing
  returning id, user_id, kind
), mailed as (
  insert into mails (user_id, address, kind, notification_id)
  select told.user_id, users.email, told.kind, told.id
  from told, lateral (select email, mail_off from users where id = told.user_id limit 1) users
  where users.email is not null and told.kind <> all(users.mail_off)
  returning id
), to_send as (
  select json_build_object('mailIds', json_agg(id order by id)) as payload from mailed having count(*) > 0
), to_mail as materialized (
  select count(*) from to_send, lateral graphile_worker.add_jobs(array[
    row('send-mail', payload, null, null, null, null, 10, null)::graphile_worker.job_spec])
), to_push as (
  select json_build_object('pushes', json_agg(json_build_object('notificationId', told.id, 'subscriptionId', browsers.id))) as payload
  from told, lateral (select id from push_subscriptions where user_id = told.user_id limit 10) browsers
  having count(*) > 0
), pushed as materialized (
  select count(*) from to_push, lateral graphile_worker.add_jobs(array[
    row('send-push', payload, null, null, null, null, 10, null)::graphile_worker.job_spec])
), announced as materialized (
  select pg_notify('changes', json_build_object('to', json_agg(distinct person), 'change', json_build_object('about', topic))::text)
  from split, lateral (values (buyer_id), (seller_id)) people (person), unnest(array['payments', 'notifications']) topic
  group by topic
)
select (select count(*) from split), (select * from to_pay), (select * from to_mail), (select * from pushed), (select count(*) from announced);
commit;
`

/** Returns how many payments per second pgbench releases on one connection. */
export async function releaseWithPgbench(
  pgbench: string,
  databaseUrl: string,
  batches: number,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sought-bench-'))
  const script = join(folder, 'release.sql')
  writeFileSync(script, RELEASE_SQL.replaceAll('\n', ' ').replaceAll(';', ';\n'))
  const options = ['-n', '-M', 'prepared', '-c', '1', '-t', String(batches), '-f', script, databaseUrl]
  try {
    const { stdout } = await promisify(execFile)(pgbench, options)
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]) * RELEASE_BATCH
  } finally {
    rmSync(folder, { recursive: true })
  }
}
