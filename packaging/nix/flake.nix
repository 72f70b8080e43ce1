# Flake that builds the tree in which it lies: `nix run 'ADDRESS?dir=packaging/nix'`.
{
  description = "UCI chess engine for which Chess960 is the normal case";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
      manifest = (builtins.fromTOML (builtins.readFile ../../Cargo.toml)).package;
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = manifest.name;
            version = manifest.version;
            src = ../..;
            cargoLock.lockFile = ../../Cargo.lock;
            # Even an empty value replaces the flags of .cargo/config.toml, which are for the processor of the build machine.
            env.RUSTFLAGS = "";
            nativeBuildInputs = [ pkgs.installShellFiles ];
            # Every test program would be linked with the optimization of a release.
            doCheck = false;
            doInstallCheck = true;
            installCheckPhase = "$out/bin/enroque bench";
            postInstall = ''
              mkdir man
              $out/bin/enroque man --output man
              installManPage man/*
              installShellCompletion --cmd enroque \
                --bash <($out/bin/enroque completions bash) \
                --fish <($out/bin/enroque completions fish) \
                --zsh <($out/bin/enroque completions zsh)
            '';
            meta = {
              inherit (manifest) description;
              license = pkgs.lib.licenses.gpl3Plus;
              mainProgram = "enroque";
            };
          };
        });
    };
}
