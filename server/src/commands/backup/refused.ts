/** The message is one line and tells the operator what to do. */
export class BackupRefused extends Error {}
