const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** From this factor on, the text says "12 times", because large percentages are hard to read. */
const TIMES_MIN = 10

/** Compares a figure with the previous period: '12% more than in the 30 days before'. */
export function describeChange(current: number, previous: number, before: string): string {
  if (current === previous) return `the same as in ${before}`
  if (previous === 0) return `none in ${before}`
  const times = current / previous
  if (times >= TIMES_MIN) return `${whole.format(times)} times that of ${before}`
  const change = ((current - previous) / Math.abs(previous)) * 100
  return `${whole.format(Math.abs(change))}% ${change > 0 ? 'more' : 'less'} than in ${before}`
}
