/** Passed as an argument wherever the time is needed, so that tests can change it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
