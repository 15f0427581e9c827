/** The message is one line and says what to do. */
export class BackupRefused extends Error {}
