/** The Connect application of the platform, which sellers connect to. */
export const APPLICATION_ID = 'ca_sandboxApplication'
