-- The code lists the kinds: contract/src/notification-kinds.ts, and the definitions of the other emails.
alter table notifications drop constraint notifications_kind;
alter table mails drop constraint mails_kind;
alter table mails drop constraint mails_recipient;
-- Only emails to visitors have no user.
alter table mails add constraint mails_recipient check ((user_id is null) <> (support_message_id is null)) not valid;
