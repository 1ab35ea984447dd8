// The document title: the screen's title, preceded by the number of waiting visitors.
let title = 'Docent'
let count = 0

export function setTitle(screen: string) {
  title = `${screen} · Docent`
  update()
}

export function setTitleCount(waiting: number) {
  count = waiting
  update()
}

function update() {
  document.title = count > 0 ? `(${count}) ${title}` : title
}
