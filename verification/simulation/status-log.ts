import { moves } from '@sought/escrow/moves'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import type pg from 'pg'

/** Makes the database log every status of a payment, whatever code changes it. */
export async function keepStatusLog(sql: pg.Pool): Promise<void> {
  await sql.query(`
    create schema simulation;
    create table simulation.status_log (
      id bigint generated always as identity, payment_id int not null, before text, after text not null
    );
    create function simulation.log_status() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.status = new.status then return null; end if;
        insert into simulation.status_log (payment_id, before, after)
          values (new.id, case when tg_op = 'UPDATE' then old.status end, new.status);
        return null;
      end $$;
    create trigger simulation_status_log after insert or update of status on payments
      for each row execute function simulation.log_status();`)
}

/** Status changes that are not in the table of moves. */
export async function findIllegalTransitions(sql: pg.Pool): Promise<string[]> {
  const { rows } = await sql.query<{ id: number; before: PaymentStatus | null; after: PaymentStatus }>(
    'select payment_id as id, before, after from simulation.status_log order by simulation.status_log.id',
  )
  return rows
    .filter(({ before, after }) => !isMove(before, after))
    .map(({ id, before, after }) => `payment ${id} moved from ${before ?? 'nothing'} to ${after}`)
}

function isMove(before: PaymentStatus | null, after: PaymentStatus): boolean {
  if (before === null) return after === 'pending'
  return Object.values(moves).some(({ from, to }) => to === after && [...from].some((it) => it === before))
}
