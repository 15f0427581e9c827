-- Entries stay as they were written, with two exceptions (ADR 44): where a deleted account acted from is removed, and
-- entries about signing in and out are deleted after two years.
create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.ip is null and new.device is null
    and (to_jsonb(new) - array['ip', 'device']) = (to_jsonb(old) - array['ip', 'device'])
    and exists (select from users where id = coalesce(old.actor_id, old.subject_id) and deleted_at is not null)
  then
    return new;
  end if;
  if tg_op = 'DELETE' and old.action in ('signed_in', 'sign_in_failed', 'signed_out')
    and old.created_at < now() - interval '730 days'
  then
    return old;
  end if;
  raise exception 'entries of the audit log are never changed or removed' using errcode = 'integrity_constraint_violation';
end
$$;
