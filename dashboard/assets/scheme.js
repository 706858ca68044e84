// Figures are drawn by the server, which has to know whether the page is light or dark now: at first, after
// the switch was used, and after the system changed its mind.
window.dash_clientside = window.dash_clientside || {};
window.dash_clientside.paramscope = {
    scheme: () => document.documentElement.getAttribute("data-mantine-color-scheme") === "dark" ? "dark" : "light",
};
new MutationObserver(() => {
    const scheme = window.dash_clientside.paramscope.scheme();
    // Not there before the page is: the callback on load sets it then.
    if (window.dash_clientside.set_props && document.querySelector("main")) {
        window.dash_clientside.set_props("scheme", {data: scheme});
    }
}).observe(document.documentElement, {attributes: true, attributeFilter: ["data-mantine-color-scheme"]});
