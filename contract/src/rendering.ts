/* The interface between the server and the code that renders pages on it (ADR 62). */

/** A reply to a call, or its refusal, by its key in the app's cache. */
export type PageEntry = readonly [key: PageKey, reply: unknown, refusal?: PageRefusal]

export type PageData = readonly PageEntry[]

/** The path of a call and its input. */
export type PageKey = readonly [path: string, input?: PageInput]

export interface PageInput extends ReadInput {
  /** Whether the list is read page by page. */
  pages?: true
}

export interface ReadInput {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
}

export interface PageRefusal {
  status: number
  body: string
}

export type ReadResult = { reply: unknown } | { refusal: PageRefusal }

export interface PageRequest {
  path: string
  /** Without the question mark. */
  search: string
  /** Replies that are already known. */
  data: PageData
  /** Makes a call within the server. Undefined if the browser has to make it. */
  read: (path: string, input: ReadInput) => Promise<ReadResult | undefined>
}

export interface RenderedPage {
  /** Writes the content of the page into a stream of Node and ends it. */
  pipe: (stream: never) => void
  /** All data that the page shows. */
  data: PageData
  /** The title for the browser tab. */
  title: string | null
}

export type RenderPage = (request: PageRequest) => Promise<RenderedPage>
