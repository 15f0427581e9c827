/** '1 offer' or '3 offers'. */
export const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
