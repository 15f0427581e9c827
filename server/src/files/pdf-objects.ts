export function object(dictionary: string, stream?: Buffer): Buffer {
  if (!stream) return Buffer.from(dictionary)
  return Buffer.concat([Buffer.from(`${dictionary}\nstream\n`), stream, Buffer.from('\nendstream')])
}

/** Numbers the objects and adds the table of their positions. */
export function joinObjects(objects: Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  const positions: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, body] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    positions.push(length)
    length += part.length
    parts.push(part)
  }
  const entries = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}` +
        `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
