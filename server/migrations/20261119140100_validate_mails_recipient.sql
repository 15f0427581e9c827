alter table mails validate constraint mails_recipient;
