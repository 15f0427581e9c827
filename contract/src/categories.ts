import { CATEGORIES } from './constants.ts'

type Category = (typeof CATEGORIES)[number]

/** The part of a category's address, such as 'home-garden' for 'Home & Garden'. */
export const categorySlug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export const findCategory = (slug: string): Category | undefined =>
  CATEGORIES.find((name) => categorySlug(name) === slug)
