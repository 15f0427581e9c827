import { moves } from '@sought/escrow/moves'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import type pg from 'pg'

/** Has the database itself write down every status that a payment takes, whoever changes it. */
export async function keepStatusLog(sql: pg.Pool): Promise<void> {
  await sql.query(`
    create schema model;
    create table model.status_log (
      id bigint generated always as identity, payment_id int not null, before text, after text not null
    );
    create function model.log_status() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.status = new.status then return null; end if;
        insert into model.status_log (payment_id, before, after)
          values (new.id, case when tg_op = 'UPDATE' then old.status end, new.status);
        return null;
      end $$;
    create trigger model_status_log after insert or update of status on payments
      for each row execute function model.log_status();`)
}

/** Steps that the table of moves does not have. */
export async function stepsAstray(sql: pg.Pool): Promise<string[]> {
  const { rows } = await sql.query<{ id: number; before: PaymentStatus | null; after: PaymentStatus }>(
    'select payment_id as id, before, after from model.status_log order by model.status_log.id',
  )
  return rows
    .filter(({ before, after }) => !isMove(before, after))
    .map(({ id, before, after }) => `payment ${id} went from ${before ?? 'nothing'} to ${after}`)
}

function isMove(before: PaymentStatus | null, after: PaymentStatus): boolean {
  if (before === null) return after === 'pending'
  return Object.values(moves).some(({ from, to }) => to === after && [...from].some((it) => it === before))
}
