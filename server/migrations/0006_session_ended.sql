-- Tells every process which session has been ended, however it was, so that its open streams stop (ADR 23).
create function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', old.sid);
  return null;
end
$$;
--> statement-breakpoint
create trigger sessions_ended after delete on sessions
  for each row execute function tell_session_ended();
