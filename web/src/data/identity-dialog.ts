/** Asks users to confirm their identity. Resolves to true if they did. */
export const identityDialog = {
  /** Set by the dialog, whose code is loaded for signed-in users only. */
  ask: async () => false,
}
