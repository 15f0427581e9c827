/** A year in UTC. */
export interface Period {
  from: Date
  until: Date
}

export const periodOf = (year: number): Period => ({
  from: new Date(Date.UTC(year, 0)),
  until: new Date(Date.UTC(year + 1, 0)),
})

export const dayOf = (at: Date) => at.toISOString().slice(0, 10)
