/** The page's whole style. Contrast of text on its ground is at least 4.5:1 in both schemes (WCAG 2.2, 1.4.3). */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #fff; --panel: #f6f7f9; --ink: #1c2127; --soft: #555e69; --line: #d5dae0; --link: #0b57a4;
  --yes: #176b2c; --no: #8a4b00; --open: #515963; --broken: #a61b1b; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --panel: #1d2226; --ink: #e6e9ec; --soft: #a4adb7; --line: #3a4149; --link: #8ec5ff;
  --yes: #7ad694; --no: #f0b465; --open: #b3bcc6; --broken: #ff9a94; --mark: #4a3f12; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .4rem 0 .8rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .7rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.3rem 0 .4rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; max-width: 48rem; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .4rem .8rem; }
.state { display: inline-block; font-weight: 700; padding: .15rem .7rem; border: 2px solid currentColor; border-radius: 2rem; }
.yes { color: var(--yes); } .no { color: var(--no); } .open { color: var(--open); } .broken { color: var(--broken); }
.sentence { font-size: 1.12rem; font-weight: 600; }
.ref { font-size: .8rem; font-weight: 400; white-space: nowrap; margin-left: .15rem; } .ref::before { content: "["; } .ref::after { content: "]"; }
.soft { color: var(--soft); } .small { font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: .8rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .93rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-bottom: 2px solid var(--line); white-space: nowrap; }
.scroll { overflow-x: auto; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } .pair > div { background: var(--panel); border-radius: .4rem; padding: .6rem .9rem; min-width: 0; overflow-wrap: anywhere; }
.pair h4 { margin: 0 0 .3rem; font-size: .85rem; color: var(--soft); font-weight: 600; }
@media (max-width: 40rem) { .pair, dl { grid-template-columns: 1fr; } }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86rem; }
pre { background: var(--panel); border-radius: .4rem; padding: .7rem .9rem; overflow-x: auto; margin: .5rem 0; line-height: 1.45; }
.lines { counter-reset: line; } .lines span { display: block; white-space: pre; }
.lines span::before { counter-increment: line; content: counter(line); display: inline-block; width: 3.2rem; padding-right: 1rem; text-align: right; color: var(--soft); }
.record { border-left: 3px solid var(--line); padding: .1rem 0 .1rem .8rem; margin: .3rem 0; } .record.named { border-left-color: var(--link); }
.record pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .1rem 0; padding: .3rem .6rem; }
:target { background: var(--mark); }
svg { display: block; } svg text { fill: var(--soft); font: 11px system-ui, sans-serif; } .axis { stroke: var(--line); } .band { fill: currentColor; opacity: .3; } .point { fill: currentColor; }
footer { color: var(--soft); font-size: .9rem; padding-top: 2rem; padding-bottom: 3rem; }
@media print { body { font-size: 11pt; } header, main, footer { max-width: none; padding: 0; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } h2, h3 { break-after: avoid; } tr, .record { break-inside: avoid; } .skip { display: none; } :target { background: none; } }
`;
