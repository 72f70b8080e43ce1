//! Source files as a tree of modules with the imports between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// Names from the crate's root to a module or an item. A last `*` stands for a glob import.
pub type ModulePath = Vec<String>;

/// Import of one module by another.
pub struct Arrow {
    pub from: ModulePath,
    pub to: ModulePath,
    /// The path as resolved, for messages.
    pub text: String,
    pub is_test: bool,
}

/// Paths and names of one source file.
#[derive(Default)]
struct SourceFile {
    /// Paths that start in the crate, and whether they stand in test code.
    paths: Vec<(ModulePath, bool)>,
    /// Names that top-level `use` items bind.
    bindings: BTreeMap<String, ModulePath>,
    /// Modules that top-level `use` items import by glob.
    globs: Vec<ModulePath>,
    /// Names of the top-level items.
    items: BTreeSet<String>,
    /// Child modules declared under `#[cfg(test)]`.
    test_modules: Vec<ModulePath>,
}

/// Source files by module path. The root, `lib.rs`, has the empty path; `main.rs` is outside.
pub struct SourceTree(BTreeMap<ModulePath, SourceFile>);

fn module_path(file: &Path) -> ModulePath {
    let mut path: ModulePath =
        file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if ["mod", "lib"].contains(&path[path.len() - 1].as_str()) {
        path.pop();
    }
    path
}

/// Returns true for `#[cfg(test)]` and conditions that imply it.
fn is_test_only(attribute: &syn::Attribute) -> bool {
    fn implies_test(condition: &syn::Meta) -> bool {
        let syn::Meta::List(list) = condition else { return condition.path().is_ident("test") };
        let parser = syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
        let Ok(parts) = list.parse_args_with(parser) else { return false };
        match list.path.get_ident().map(ToString::to_string).as_deref() {
            Some("all") => parts.iter().any(implies_test),
            Some("any") => !parts.is_empty() && parts.iter().all(implies_test),
            _ => false,
        }
    }
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Meta>().is_ok_and(|condition| implies_test(&condition))
}

fn is_root_word(word: &str) -> bool {
    ["crate", "self", "super"].contains(&word)
}

/// Collects the paths of a `use` tree with the names they bind.
fn flatten(tree: &UseTree, prefix: &[String], found: &mut Vec<(Vec<String>, Option<String>)>) {
    let with = |word: &dyn ToString| [prefix, &[word.to_string()]].concat();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(&path.ident), found),
        UseTree::Name(name) if name.ident == "self" => found.push((prefix.to_vec(), prefix.last().cloned())),
        UseTree::Name(name) => found.push((with(&name.ident), Some(name.ident.to_string()))),
        UseTree::Rename(rename) => {
            let mut path = if rename.ident == "self" { prefix.to_vec() } else { with(&rename.ident) };
            // A renamed ancestor gives access to all its modules.
            if path.iter().all(|word| is_root_word(word)) {
                path.push("*".to_owned());
            }
            found.push((path, Some(rename.rename.to_string())));
        }
        UseTree::Glob(_) => found.push((with(&"*"), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix, found)),
    }
}

/// Collects the paths that start at `tokens[at]`, with braces as in `use`. Returns the position behind them.
fn token_paths(
    tokens: &[TokenTree],
    mut at: usize,
    mut path: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    let is_punct =
        |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => {
            path.push(ident.to_string());
            at += 1;
            if is_punct(at, ':') && is_punct(at + 1, ':') {
                return token_paths(tokens, at + 2, path, found);
            }
            found.push(path);
            return at;
        }
        Some(TokenTree::Group(group)) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut inner_at = 0;
            while inner_at < inner.len() {
                inner_at = token_paths(&inner, inner_at, path.clone(), found);
            }
        }
        Some(TokenTree::Punct(punct)) if punct.as_char() == '*' => {
            path.push("*".to_owned());
            found.push(path);
        }
        _ => found.push(path),
    }
    at + 1
}

/// Visitor that collects the paths of a file.
struct Collector<'a> {
    /// The module at hand; longer than the file's own inside an inline module.
    module: ModulePath,
    children: &'a BTreeSet<ModulePath>,
    in_test: bool,
    file: SourceFile,
}

impl Collector<'_> {
    /// Resolves a path that starts with `crate`, `self`, `super` or a child module.
    fn resolve(&self, words: &[String]) -> Option<ModulePath> {
        let mut place = match words.first()?.as_str() {
            "crate" => Vec::new(),
            first if is_root_word(first) => self.module.clone(),
            first => {
                let child = [&self.module[..], &[first.to_owned()]].concat();
                self.children.contains(&child).then_some(self.module.clone())?
            }
        };
        for word in words.iter().filter(|word| !["crate", "self"].contains(&word.as_str())) {
            if word == "super" {
                place.pop();
            } else {
                place.push(word.clone());
            }
        }
        Some(place)
    }

    fn record(&mut self, words: &[String]) {
        let in_test = self.in_test;
        self.file.paths.extend(self.resolve(words).map(|path| (path, in_test)));
    }

    /// Ends the effect of a `#[cfg(test)]` with the node that carries it.
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.in_test;
        visit(self);
        self.in_test = outer;
    }

    fn bind_names(&mut self, items: &[Item]) {
        for item in items {
            let name = match item {
                Item::Const(item) => &item.ident,
                Item::Enum(item) => &item.ident,
                Item::Fn(item) => &item.sig.ident,
                Item::Static(item) => &item.ident,
                Item::Struct(item) => &item.ident,
                Item::Trait(item) => &item.ident,
                Item::Type(item) => &item.ident,
                Item::Union(item) => &item.ident,
                Item::Use(item) => {
                    let mut found = Vec::new();
                    flatten(&item.tree, &[], &mut found);
                    for (words, name) in found {
                        let Some(mut path) = self.resolve(&words) else { continue };
                        match name {
                            Some(name) => drop(self.file.bindings.insert(name, path)),
                            None => {
                                path.pop();
                                self.file.globs.push(path);
                            }
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            self.file.items.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        self.in_test |= is_test_only(attribute);
        visit::visit_attribute(self, attribute);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        self.scoped(|inner| visit::visit_item(inner, item));
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        self.scoped(|inner| visit::visit_impl_item(inner, item));
    }

    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        self.scoped(|inner| visit::visit_stmt(inner, statement));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.scoped(|inner| visit::visit_field(inner, field));
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        item.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        self.module.push(item.ident.to_string());
        if item.content.is_none() && self.in_test {
            self.file.test_modules.push(self.module.clone());
        }
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        item.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        let mut found = Vec::new();
        flatten(&item.tree, &[], &mut found);
        found.iter().for_each(|(words, _)| self.record(words));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.record(&words);
        visit::visit_path(self, path);
    }

    fn visit_token_stream(&mut self, stream: &'ast TokenStream) {
        let mut streams = vec![stream.clone()];
        while let Some(stream) = streams.pop() {
            let tokens: Vec<TokenTree> = stream.into_iter().collect();
            let mut at = 0;
            while at < tokens.len() {
                let mut found = Vec::new();
                at = match &tokens[at] {
                    TokenTree::Ident(ident) if is_root_word(&ident.to_string()) => {
                        token_paths(&tokens, at, Vec::new(), &mut found)
                    }
                    TokenTree::Group(group) => {
                        streams.push(group.stream());
                        at + 1
                    }
                    _ => at + 1,
                };
                found.iter().for_each(|words| self.record(words));
            }
        }
    }
}

impl SourceTree {
    pub fn new(files: &[(PathBuf, String)]) -> Self {
        let files: Vec<_> = files.iter().filter(|(file, _)| file != Path::new("main.rs")).collect();
        let modules: BTreeSet<ModulePath> = files.iter().map(|(file, _)| module_path(file)).collect();
        let read = |(file, text): &&(PathBuf, String)| {
            let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let module = module_path(file);
            let mut collector = Collector {
                module: module.clone(),
                children: &modules,
                in_test: false,
                file: SourceFile::default(),
            };
            collector.bind_names(&syntax.items);
            collector.visit_file(&syntax);
            (module, collector.file)
        };
        Self(files.iter().map(read).collect())
    }

    /// Returns the deepest module on a path.
    fn module_of<'a>(&self, path: &'a [String]) -> &'a [String] {
        let length = (0..=path.len()).rev().find(|&length| self.0.contains_key(&path[..length]));
        &path[..length.unwrap_or(0)]
    }

    /// Returns the modules that `from` imports by a path. A name that an ancestor of `from` only re-exports counts as
    /// an import of its module; a glob import of an ancestor, of all the ancestor's children.
    fn targets(&self, from: &[String], path: &[String]) -> Vec<ModulePath> {
        let module = self.module_of(path);
        let is_ancestor = from.len() > module.len() && from.starts_with(module);
        let (Some(name), Some(file), true) = (path.get(module.len()), self.0.get(module), is_ancestor) else {
            return vec![module.to_vec()];
        };
        if name == "*" {
            let is_child = |other: &&ModulePath| other.len() == module.len() + 1 && other.starts_with(module);
            return self.0.keys().filter(is_child).cloned().collect();
        }
        if let Some(bound) = file.bindings.get(name).filter(|bound| *bound != path) {
            return self.targets(from, bound);
        }
        if file.items.contains(name) {
            return vec![module.to_vec()];
        }
        let defines = |glob: &&ModulePath| self.0.get(*glob).is_some_and(|file| file.items.contains(name));
        vec![file.globs.iter().find(defines).cloned().unwrap_or(module.to_vec())]
    }

    pub fn arrows(&self) -> Vec<Arrow> {
        let test_modules: Vec<&ModulePath> = self.0.values().flat_map(|file| &file.test_modules).collect();
        let mut arrows = Vec::new();
        for (from, file) in &self.0 {
            let in_test_module = test_modules.iter().any(|module| from.starts_with(module));
            for (path, in_test) in &file.paths {
                let is_test = *in_test || in_test_module;
                for to in self.targets(from, path) {
                    arrows.push(Arrow { from: from.clone(), to, text: path.join("::"), is_test });
                }
            }
        }
        arrows
    }
}
