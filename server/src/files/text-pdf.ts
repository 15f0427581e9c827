import { joinObjects, object } from './pdf-objects.ts'

/** A4 in points, and Courier, whose letters all have the same width. */
const PAGE = { width: 595, height: 842, margin: 40, fontSize: 9, lineHeight: 12 }
const LINE_LENGTH = 95
const LINES_PER_PAGE = 62

/** A PDF of a text. The fonts of every reader know Latin letters only, so others become question marks. */
export function textAsPdf(text: string): Buffer {
  const lines = text.split('\n').flatMap(wrap)
  const pages = Array.from({ length: Math.ceil(lines.length / LINES_PER_PAGE) }, (_, index) =>
    lines.slice(index * LINES_PER_PAGE, (index + 1) * LINES_PER_PAGE),
  )
  const pageIds = pages.map((_, index) => 4 + index * 2)
  return joinObjects([
    object('<< /Type /Catalog /Pages 2 0 R >>'),
    object(`<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`),
    object('<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>'),
    ...pages.flatMap((page, index) => pageOf(page, pageIds[index] ?? 0)),
  ])
}

/** Cuts a line at spaces, or within a word that is too long. */
function wrap(line: string): string[] {
  return line.match(new RegExp(`.{1,${LINE_LENGTH}}(?:\\s+|$)|.{1,${LINE_LENGTH}}`, 'gu')) ?? ['']
}

function pageOf(lines: string[], id: number): Buffer[] {
  const { width, height, margin, fontSize, lineHeight } = PAGE
  const shown = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n')
  const drawing = Buffer.from(
    `BT /F1 ${fontSize} Tf ${lineHeight} TL ${margin} ${height - margin} Td\n${shown}\nET`,
    'latin1',
  )
  return [
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${id + 1} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
    ),
    object(`<< /Length ${drawing.length} >>`, drawing),
  ]
}

const escapeText = (line: string) =>
  line
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[^ -~\u00a1-\u00ff]/gu, '?')
    .replace(/[\\()]/g, '\\$&')
