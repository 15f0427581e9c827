/** Where the time comes from. Everything that needs it takes it as an argument, so that tests can turn it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
