/** Asks users to accept the policies in force. Resolves to true if they did. */
export const consentDialog = {
  /** Set by the dialog, whose code is loaded for signed-in users only. */
  ask: async () => false,
}
